import { Button } from '@mantine/core';
import { call, operations, type Comment } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { changeComments } from '../../api/discussions.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Age, Time } from '../../ui/time.tsx';
import { Written } from '../../ui/written.tsx';
import { CommentField } from './comment-field.tsx';
import styles from './discussion.module.css';

interface CardProps {
  readonly jobId: number;
  readonly comment: Comment;
  readonly markdown: boolean;
  /** The address points at it. */
  readonly linked: boolean;
}

/** One comment, with what its viewer may do to it. */
export function CommentCard({ jobId, comment, markdown, linked }: CardProps) {
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
        <Link to={paths.job} params={{ jobId }} search={{ view: 'discussion', comment: id }} className={styles.at}>
          <Age iso={at} />
          <span className="sr-only"> ago; link to this comment</span>
        </Link>
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
        <EditForm jobId={jobId} comment={comment} markdown={markdown} onDone={() => setDoing(null)} />
      ) : (
        <Written text={body} markdown={markdown} />
      )}
      {doing === 'deleting' && <DeleteQuestion jobId={jobId} comment={comment} onKeep={() => setDoing(null)} />}
    </li>
  );
}

function EditForm(props: Pick<CardProps, 'jobId' | 'comment' | 'markdown'> & { onDone: () => void }) {
  const { jobId, comment, markdown, onDone } = props;
  const [text, setText] = useState(comment.body);
  const save = useMutation({
    mutationFn: () => changeComments(jobId, () => call(operations.editComment, { id: comment.id, body: text })),
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

function DeleteQuestion({ jobId, comment, onKeep }: Pick<CardProps, 'jobId' | 'comment'> & { onKeep: () => void }) {
  const remove = useMutation({
    mutationFn: () => changeComments(jobId, () => call(operations.deleteComment, { id: comment.id })),
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
