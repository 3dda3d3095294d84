import { Button } from '@mantine/core';
import { operations, type Storage } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { changeTasks } from '../../api/admin.ts';
import { callConfirmed } from '../../api/confirm-password.ts';
import { cx } from '../../ui/class-names.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { bytes, count, counted } from '../../ui/format.ts';
import table from '../../ui/table.module.css';
import { Age } from '../../ui/time.tsx';
import styles from './storage-page.module.css';
import { LastTask } from './storage-task.tsx';

/** Objects that no row names, with a look at them before they are removed. */
export function StorageOrphans({ storage: { unowned, walk } }: { storage: Storage }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const { count: all, bytes: size, sample } = unowned;
  return (
    <section aria-labelledby="orphans" className={styles.part}>
      <h2 id="orphans">Objects that nobody owns</h2>
      <p className="soft">
        A process that was killed may leave an object that nothing refers to. A daily sweep removes those that are older
        than a day; here those older than an hour can be removed now.
      </p>
      {all === 0 ? (
        <p>{walk.ended_at === null ? 'None so far.' : 'There are none.'}</p>
      ) : (
        <>
          <p className={styles.deed}>
            <span>
              {counted(all, 'object')}, {bytes(size)}
              {all > sample.length && `; the first ${count(sample.length)}:`}
            </span>
            <Button variant="default" onClick={() => setAsking(true)}>
              Remove them
            </Button>
          </p>
          <div className={cx('card', table.wrap)}>
            <table className={table.table}>
              <thead>
                <tr>
                  <th scope="col">Object</th>
                  <th scope="col" className={cx(styles.size, 'num')}>
                    Size
                  </th>
                  <th scope="col" className={cx(styles.size, 'num')}>
                    Stored
                  </th>
                </tr>
              </thead>
              <tbody>
                {sample.map((object) => (
                  <tr key={object.key} className={table.row}>
                    <td data-hint={object.key}>
                      <code>{object.key}</code>
                    </td>
                    <td className="num">{bytes(object.bytes)}</td>
                    <td className="num soft">
                      <Age iso={object.stored_at} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <LastTask kind="purge_orphaned_storage" />
      {isAsking && <Purge words={`${counted(all, 'object')} (${bytes(size)})`} onClose={() => setAsking(false)} />}
    </section>
  );
}

function Purge({ words, onClose }: { words: string; onClose: () => void }) {
  const purge = useMutation({
    mutationFn: () => changeTasks(() => callConfirmed(operations.purgeOrphans, {})),
    onSuccess: onClose,
  });
  return (
    <Dialog title="Remove objects that nobody owns" onClose={onClose}>
      <p className="soft">
        {words} go, and whatever else is found that no job, file or rule pack refers to. If the database was restored
        from a backup, these may be what was submitted after it.
      </p>
      <Form
        error={purge.error}
        onSubmit={() => purge.mutate()}
        actions={<DialogButtons dangerous words="Remove them" pending={purge.isPending} onClose={onClose} />}
      >
        {null}
      </Form>
    </Dialog>
  );
}
