import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { Button, TextInput } from '@mantine/core';
import { call, operations, type Retention } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { callConfirmed } from '../../api/confirm-password.ts';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { cx } from '../../ui/class-names.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { counted } from '../../ui/format.ts';
import table from '../../ui/table.module.css';
import styles from './storage-page.module.css';
import { BeginTask, LastTask } from './storage-task.tsx';

const names: Readonly<Record<string, string>> = {
  job_outputs: 'Raw outputs of jobs',
  uploads: 'Uploads, with their jobs',
  activity: 'Activity log',
  background_tasks: 'Tasks that have ended',
  webhook_deliveries: 'Deliveries to webhooks',
  deleted_comments: 'Who deleted which comment',
  revoked_tokens: 'Revoked API tokens',
  happenings: 'What was told to everybody',
  sessions: 'Sessions',
};

/** For how long things are kept, who says so, and the one that is decided here. */
export function StorageRetention({ rows }: { rows: readonly Retention[] }): ReactNode {
  const [changed, setChanged] = useState<Retention | null>(null);
  return (
    <section aria-labelledby="kept" className={styles.part}>
      <h2 id="kept">How long things are kept</h2>
      <p className="soft">
        Sweeps remove what is older every day. Reports stay when raw outputs go; the process tree and the download of
        raw files do not.
      </p>
      <div className={cx('card', table.wrap)}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" className={styles.days}>
                Kept
              </th>
              <th scope="col">Decided by</th>
              <th scope="col" className={styles.deeds}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} className={table.row}>
                <td>{nameOf(row)}</td>
                <td>{row.disabled ? 'for ever' : counted(row.days, 'day')}</td>
                <td className="soft" data-hint={row.variable ?? undefined}>
                  {sourceOf(row)}
                </td>
                <td>
                  {row.overridable && (
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={`Change: ${nameOf(row)}`}
                      onClick={() => setChanged(row)}
                    >
                      Change
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.deed}>
        <span className="soft">Raw outputs whose time is over go at 04:45 UTC, or now.</span>
        <BeginTask words="Remove them now" begin={() => call(operations.runRetention, {})} />
      </p>
      <LastTask kind="cleanup_old_job_outputs" />
      {changed !== null && <Change row={changed} onClose={() => setChanged(null)} />}
    </section>
  );
}

function nameOf({ name }: Retention): string {
  return names[name] ?? name;
}

function sourceOf({ source, variable }: Retention): string {
  if (source === 'override') return 'an administrator, here';
  if (variable === null) return 'the service';
  return source === 'env' ? variable : `the default of ${variable}`;
}

function Change({ row, onClose }: { row: Retention; onClose: () => void }) {
  const save = useMutation({
    mutationFn: (form: FormData) =>
      callConfirmed(operations.setOutputRetention, { job_output_retention_days: fieldText(form, 'days') }),
    onSuccess: async () => {
      await invalidate(queryKey(operations.getStorage));
      onClose();
    },
  });
  return (
    <Dialog title="How long raw outputs are kept" onClose={onClose}>
      <p className="soft">
        0 keeps them for ever; an empty field leaves it to {row.variable}. The next sweep goes by it, in every process.
      </p>
      <Form
        error={save.error}
        onSubmit={(form) => save.mutate(form)}
        actions={<DialogButtons words="Save" pending={save.isPending} onClose={onClose} />}
      >
        <TextInput
          label="Days"
          name="days"
          defaultValue={row.source === 'override' ? String(row.days) : ''}
          placeholder={String(row.days)}
          inputMode="numeric"
          pattern="[0-9]{0,5}"
          autoComplete="off"
          data-autofocus
        />
      </Form>
    </Dialog>
  );
}
