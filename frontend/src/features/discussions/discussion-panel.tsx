import type { Comment, JobDetail } from '@svc/contracts';
import { IconLock, IconMessages, IconUsers } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { commentsQuery } from '../../api/discussions.ts';
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
  readonly job: JobDetail;
  /** The comment that a link leads to. */
  readonly linked: number | undefined;
}

/** What people say about a job, oldest first, and a place to say something. */
export function DiscussionPanel({ job, linked }: PanelProps) {
  const { job_id: jobId, is_private: isPrivate, watching } = job;
  const thread = useInfiniteQuery(commentsQuery(jobId));
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
      <Readers isPrivate={isPrivate} />
      {hasNextPage && (
        <LinkButton disabled={thread.isFetchingNextPage} className={styles.older} onClick={() => void fetchNextPage()}>
          Show older comments, {count(total - comments.length)} more
        </LinkButton>
      )}
      {thread.isFetchNextPageError && <Failure error={thread.error} />}
      {comments.length === 0 ? (
        <EmptyState icon={IconMessages} title="Nobody has said anything about this job">
          Note what you checked, what is harmless and what is not, so that the next person does not start anew.
        </EmptyState>
      ) : (
        <ol className={styles.comments} aria-label={counted(total, 'comment')}>
          {comments.map((comment) => (
            <Contained key={comment.id} fallback={<BareComment comment={comment} />}>
              <CommentCard jobId={jobId} comment={comment} markdown={markdown} linked={comment.id === linked} />
            </Contained>
          ))}
        </ol>
      )}
      <CommentComposer jobId={jobId} markdown={markdown} watching={watching} />
    </section>
  );
}

/** Who reads what is said here, before it is said. */
function Readers({ isPrivate }: { isPrivate: boolean }) {
  const Icon = isPrivate ? IconLock : IconUsers;
  return (
    <Notice tone="info" icon={<Icon size={18} stroke={1.75} aria-hidden="true" />}>
      {isPrivate
        ? 'This job is private: only its submitter and administrators can read this discussion.'
        : 'This job is public: everyone with an account here can read this discussion, visitors without one cannot.'}
    </Notice>
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
