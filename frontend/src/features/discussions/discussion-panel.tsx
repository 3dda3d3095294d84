import type { Comment } from '@svc/contracts';
import { IconMessages, type Icon } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { commentsQuery, type Discussed } from '../../api/discussions.ts';
import { cx } from '../../ui/class-names.ts';
import { Contained } from '../../ui/contained.tsx';
import { Failure } from '../../ui/form.tsx';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Plain } from '../../ui/plain.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import { CommentCard } from './comment-card.tsx';
import { CommentComposer } from './comment-composer.tsx';
import styles from './discussion.module.css';

interface PanelProps {
  readonly on: Discussed;
  /** Who reads what is said here, before it is said. */
  readonly readers: { readonly icon: Icon; readonly text: string };
  /** What a comment does beside being read. */
  readonly note?: string | undefined;
  /** The comment that a link leads to. */
  readonly linked: number | undefined;
}

/** What people say about a thing, oldest first, and a place to say something. */
export function DiscussionPanel({ on, readers: { icon: Sign, text }, note, linked }: PanelProps) {
  const thread = useInfiniteQuery(commentsQuery(on));
  const { data, error, hasNextPage, fetchNextPage, refetch } = thread;
  const comments = data?.pages.toReversed().flatMap((page) => page.comments) ?? [];
  // A link can lead to a comment of long ago: ids go up with time.
  const oldest = comments[0]?.id ?? 0;
  const isStill = !thread.isFetchingNextPage && !thread.isFetchNextPageError;
  const isFartherBack = linked !== undefined && linked < oldest && hasNextPage && isStill;
  useEffect(() => {
    if (isFartherBack) void fetchNextPage();
  }, [isFartherBack, fetchNextPage]);
  if (data === undefined) {
    if (error) return <ErrorState what="The discussion cannot be read" error={error} retry={() => void refetch()} />;
    return <DiscussionSkeleton />;
  }
  const { total = 0, markdown = false } = data.pages[0] ?? {};
  return (
    <section className={styles.discussion} aria-label="Discussion">
      <Notice tone="info" icon={<Sign size={18} stroke={1.75} aria-hidden="true" />}>
        {text}
      </Notice>
      {hasNextPage && (
        <LinkButton disabled={thread.isFetchingNextPage} className={styles.older} onClick={() => void fetchNextPage()}>
          Show older comments, {count(total - comments.length)} more
        </LinkButton>
      )}
      {thread.isFetchNextPageError && <Failure error={thread.error} />}
      {comments.length === 0 ? (
        <EmptyState icon={IconMessages} title={`Nobody has said anything about this ${on.target}`}>
          Note what you checked, what is harmless and what is not, so that the next person does not start anew.
        </EmptyState>
      ) : (
        <ol className={styles.comments} aria-label={counted(total, 'comment')}>
          {comments.map((comment) => (
            <Contained key={comment.id} fallback={<BareComment comment={comment} />}>
              <CommentCard on={on} comment={comment} markdown={markdown} linked={comment.id === linked} />
            </Contained>
          ))}
        </ol>
      )}
      <CommentComposer on={on} markdown={markdown} note={note} />
    </section>
  );
}

/** What is left of a comment that fails to show. */
function BareComment({ comment: { id, body } }: { comment: Comment }) {
  return (
    <li id={`comment-${id}`} className={cx('card', styles.comment)}>
      <Plain text={body} />
    </li>
  );
}

function DiscussionSkeleton() {
  return (
    <div className={styles.discussion} role="status" aria-busy="true" aria-label="The discussion is loading">
      {[0, 1, 2].map((each) => (
        <div key={each} className={styles.comment}>
          <Skeleton width={160} />
          <Skeleton width="70%" />
        </div>
      ))}
    </div>
  );
}
