import { Button } from '@mantine/core';
import { call, operations, type Comment } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { changeComments, type Discussed } from '../../api/discussions.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Age, Time } from '../../ui/time.tsx';
import { Written } from '../../ui/written.tsx';
import { CommentField } from './comment-field.tsx';
import styles from './discussion.module.css';

interface CardProps {
  readonly on: Discussed;
  readonly comment: Comment;
  readonly markdown: boolean;
  /** The address points at it. */
  readonly linked: boolean;
}

/** One comment, with what its viewer may do to it. */
export function CommentCard({ on, comment, markdown, linked }: CardProps) {
  const [doing, setDoing] = useState<'editing' | 'deleting' | null>(null);
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (linked) card.current?.scrollIntoView({ block: 'center' });
  }, [linked]);
  const { id, author, body, created_at: at, edited_at: editedAt } = comment;
  return (
    <li ref={card} id={`comment-${id}`} className={cx('card', styles.comment, linked && styles.linked)}>
      <div className={styles.head}>
        <strong className={author ? undefined : 'faint'}>{author?.name ?? 'Deleted account'}</strong>
        <CommentLink on={on} comment={id}>
          <Age iso={at} />
          <span className="sr-only"> ago; link to this comment</span>
        </CommentLink>
        {editedAt !== undefined && (
          <span className="faint">
            edited <Time iso={editedAt} />
          </span>
        )}
        {doing === null && (
          <span className={styles.deeds}>
            {comment.can_edit && <LinkButton onClick={() => setDoing('editing')}>Edit</LinkButton>}
            {comment.can_delete && <LinkButton onClick={() => setDoing('deleting')}>Delete</LinkButton>}
          </span>
        )}
      </div>
      {doing === 'editing' ? (
        <EditForm on={on} comment={comment} markdown={markdown} onDone={() => setDoing(null)} />
      ) : (
        <Written text={body} markdown={markdown} />
      )}
      {doing === 'deleting' && <DeleteQuestion on={on} comment={comment} onKeep={() => setDoing(null)} />}
    </li>
  );
}

function CommentLink({ on, comment, children }: { on: Discussed; comment: number; children: ReactNode }) {
  const search = { view: 'discussion', comment } as const;
  const to = {
    job: { to: paths.job, params: { jobId: on.id } },
    case: { to: paths.case, params: { caseId: on.id } },
    entity: { to: paths.entity, params: { entityId: on.id } },
  }[on.target];
  return (
    <Link {...to} search={search} className={styles.at}>
      {children}
    </Link>
  );
}

function EditForm(props: Pick<CardProps, 'on' | 'comment' | 'markdown'> & { onDone: () => void }) {
  const { on, comment, markdown, onDone } = props;
  const [text, setText] = useState(comment.body);
  const save = useMutation({
    mutationFn: () => changeComments(on, () => call(operations.editComment, { id: comment.id, body: text })),
    onSuccess: onDone,
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <CommentField label="Your comment" text={text} markdown={markdown} focused onChange={setText} onEscape={onDone} />
      {save.error && <Failure error={save.error} />}
      <div className={styles.buttons}>
        <Button type="submit" loading={save.isPending} disabled={text.trim() === ''}>
          Save
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function DeleteQuestion({ on, comment, onKeep }: Pick<CardProps, 'on' | 'comment'> & { onKeep: () => void }) {
  const remove = useMutation({
    mutationFn: () => changeComments(on, () => call(operations.deleteComment, { id: comment.id })),
  });
  return (
    <div className={styles.form}>
      {remove.error && <Failure error={remove.error} />}
      <div className={styles.buttons}>
        <span>Delete this comment for good?</span>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete it
        </Button>
        <Button variant="default" onClick={onKeep}>
          Keep it
        </Button>
      </div>
    </div>
  );
}
