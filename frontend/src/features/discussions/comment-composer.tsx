import { Button } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import { call, operations } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { changeComments } from '../../api/discussions.ts';
import { Failure } from '../../ui/form.tsx';
import { CommentField } from './comment-field.tsx';
import styles from './discussion.module.css';

interface ComposerProps {
  readonly jobId: number;
  readonly markdown: boolean;
  readonly watching: boolean;
}

/** A new comment; what was begun stays in this browser tab until it is sent. */
export function CommentComposer({ jobId, markdown, watching }: ComposerProps) {
  const [text, setText] = useSessionStorage({
    key: `svc-comment-${jobId}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  const send = useMutation({
    mutationFn: () =>
      changeComments(jobId, () => call(operations.addComment, { target: 'job', id: jobId, body: text })),
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
        {!watching && <span className="faint">You will watch this job from then on.</span>}
      </div>
    </form>
  );
}
