import { Button } from '@mantine/core';
import type { Home } from '@svc/contracts';
import type { LogType } from '@svc/domain';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useMe } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { bytes, count } from '../../ui/format.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import { SignInLink } from '../../ui/sign-in-link.tsx';
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
      <WhoReads />
      {home ? <Accepted home={home} /> : <Skeleton width={420} height={14} />}
      {home && home.samples.length > 0 && <Samples samples={home.samples} />}
    </section>
  );
}

/** Who will be able to read what is sent, said before anything is, and that nothing needs to be. */
function WhoReads() {
  const me = useMe();
  if (me === undefined) return <Skeleton width={420} height={14} />;
  return (
    <div className={styles.readers}>
      <p>
        <strong>Everyone who can open this page will be able to read the report</strong>
        {me === null ? (
          <>
            ; <SignInLink>sign in</SignInLink> to keep reports to yourself and the administrators.
          </>
        ) : (
          ', unless you switch on Private before you submit: then only you and the administrators.'
        )}{' '}
        {me?.send_at_once && (
          <>
            Your files are <Link to={paths.account}>sent at once</Link>.
          </>
        )}
      </p>
      <p>
        Or send nothing: choose <strong>Analyse in this browser</strong> after the drop, and the rules come to the log.{' '}
        <GuideLink chapter="in-this-browser">How that works</GuideLink>
      </p>
    </div>
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
