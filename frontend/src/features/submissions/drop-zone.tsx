import { Button } from '@mantine/core';
import type { Home } from '@svc/contracts';
import type { LogType } from '@svc/domain';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { bytes, count } from '../../ui/format.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import { Skeleton } from '../../ui/states.tsx';
import styles from './drop-zone.module.css';
import { takeFiles } from './queue-store.ts';
import { Samples } from './samples.tsx';

/** Where files are chosen. Dropping works anywhere in the window (app/window-drop.tsx). */
export function DropZone({ home, compact }: { home: Home | undefined; compact: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  const picker = (
    <input
      ref={input}
      type="file"
      multiple
      className="sr-only"
      tabIndex={-1}
      aria-label="Log files to submit"
      onChange={({ currentTarget }) => {
        void takeFiles([...(currentTarget.files ?? [])]);
        currentTarget.value = '';
      }}
    />
  );
  if (compact) {
    return (
      <div className={styles.compact}>
        {picker}
        <IconFileImport size={18} stroke={1.75} aria-hidden="true" />
        <span>Drop more files anywhere in this window</span>
        <Button variant="default" leftSection={<IconPlus size={14} />} onClick={choose}>
          Add files
        </Button>
      </div>
    );
  }
  return (
    <section className={styles.zone} aria-label="Submit">
      {picker}
      <span className={styles.icon} aria-hidden="true">
        <IconFileImport size={32} stroke={1.5} />
      </span>
      <h1 className={styles.sentence}>Drop log files here to read what happened in them.</h1>
      <Button size="sm" onClick={choose}>
        Choose files
      </Button>
      {home ? <Accepted home={home} /> : <Skeleton width={420} height={14} />}
      {home && home.samples.length > 0 && <Samples samples={home.samples} />}
    </section>
  );
}

function Accepted({ home }: { home: Home }) {
  const readable = new Set(home.workflows.flatMap(({ log_types: types }) => types));
  const labels = (Object.entries(home.log_types) as [LogType, string][])
    .filter(([type]) => readable.has(type))
    .map(([, label]) => label);
  return (
    <div className={styles.accepted}>
      <ul className={styles.types} aria-label="Kinds of log that are read">
        {labels.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ul>
      <p>
        Up to {bytes(home.max_upload_size_mb * 1024 ** 2)} a file, {count(home.max_upload_files)} files at a time;
        folders work too. <GuideLink chapter="submitting">How submitting works</GuideLink>
      </p>
    </div>
  );
}
