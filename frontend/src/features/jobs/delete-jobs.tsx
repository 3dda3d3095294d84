import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { call, operations, type JobRow } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { count, counted } from '../../ui/format.ts';
import styles from './delete-jobs.module.css';

/** From here on a deletion is typed out first. */
const MASS = 10;
const NAMED = 6;

interface DeleteJobsProps {
  readonly jobs: readonly JobRow[];
  readonly onDeleted: (deleted: number) => void;
  readonly onClose: () => void;
}

/** Asks before jobs go for good; many of them have to be typed out. */
export function DeleteJobs({ jobs, onDeleted, onClose }: DeleteJobsProps) {
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => call(operations.deleteJobs, { job_ids: jobs.map(({ job_id: id }) => id) }),
    onSuccess: async ({ deleted }) => {
      await invalidate(queryKey(operations.listJobs));
      onDeleted(deleted);
    },
  });
  const words = `delete ${jobs.length}`;
  const isMass = jobs.length >= MASS;
  const rest = jobs.length - NAMED;
  return (
    <Dialog
      title={`Delete ${jobs.length === 1 ? (jobs[0]?.filename ?? '') : counted(jobs.length, 'job')}?`}
      onClose={onClose}
    >
      {jobs.length > 1 && (
        <ul className={styles.names}>
          {jobs.slice(0, NAMED).map(({ job_id: id, filename }) => (
            <li key={id} className="cut">
              {filename}
            </li>
          ))}
          {rest > 0 && <li className="soft">and {count(rest)} more</li>}
        </ul>
      )}
      <p className="soft">
        Findings, outputs, tags and comments go with a job, and its file when no other job is on that. A running job is
        stopped. This cannot be undone.
      </p>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate()}
        actions={
          <DialogButtons
            words={`Delete ${counted(jobs.length, 'job')}`}
            pending={remove.isPending}
            disabled={isMass && typed.trim().toLowerCase() !== words}
            onClose={onClose}
            dangerous
          />
        }
      >
        {isMass && (
          <TextInput
            label={`To go on, type “${words}”`}
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Form>
    </Dialog>
  );
}
