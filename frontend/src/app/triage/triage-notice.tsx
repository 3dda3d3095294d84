import { IconShieldLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useSubmissions } from '../../features/submissions/queue-store.ts';
import type { Triage } from '../../api/triage/triage-queue.ts';
import { paths } from '../../paths.ts';
import { Notice } from '../../ui/states.tsx';

/** Where the log and its report are: here alone, until somebody submits it. */
export function TriageNotice({ triage: { key, stage } }: { triage: Triage }) {
  const sent = useSubmissions().list.find((submission) => submission.key === key)?.stage;
  const icon = <IconShieldLock size={18} stroke={1.75} aria-hidden="true" />;
  if (sent?.at === 'accepted') {
    return (
      <Notice tone="info" icon={icon}>
        <strong>Submitted.</strong> The service has this log now, and a{' '}
        <Link to={paths.job} params={{ jobId: sent.job.job_id }} search={sent.job.reused ? { dup: true } : {}}>
          report of its own
        </Link>
        .
      </Notice>
    );
  }
  if (sent?.at === 'sending') {
    return (
      <Notice tone="info" icon={icon}>
        <strong>This log is being sent</strong> to the service.
      </Notice>
    );
  }
  return (
    <Notice tone="good" icon={icon}>
      <strong>Nothing of this log has left this machine.</strong>{' '}
      {stage.at === 'done'
        ? 'The report is in the memory of this window, and ends with it.'
        : 'The rules came here; the log is read by this browser.'}
    </Notice>
  );
}
