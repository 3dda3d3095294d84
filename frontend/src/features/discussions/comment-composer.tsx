import { Button } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { call, operations } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { changeComments, type Discussed } from '../../api/discussions.ts';
import { Failure } from '../../ui/form.tsx';
import { CommentField } from './comment-field.tsx';
import styles from './discussion.module.css';

interface ComposerProps {
  readonly on: Discussed;
  readonly markdown: boolean;
  /** What else a comment does. */
  readonly note?: string | undefined;
}

/** A new comment; what was begun stays in this browser tab until it is sent. */
export function CommentComposer({ on, markdown, note }: ComposerProps) {
  const [text, setText] = useSessionStorage({
    key: `svc-comment-${on.target === 'job' ? '' : `${on.target}-`}${on.id}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const send = useMutation({
    mutationFn: () => changeComments(on, () => call(operations.addComment, { ...on, body: text })),
    onSuccess: () => setText(''),
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate();
      }}
    >
      <CommentField label="New comment" text={text} markdown={markdown} onChange={setText} />
      {send.error && <Failure error={send.error} />}
      <div className={styles.buttons}>
        <Button type="submit" loading={send.isPending} disabled={text.trim() === ''} data-hint="Ctrl Enter">
          Comment
        </Button>
        {note !== undefined && <span className="faint">{note}</span>}
      </div>
    </form>
  );
}
