import { Button } from '@mantine/core';
import { IconSend, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { homeQuery } from '../../api/queries.ts';
import type { Triage } from '../../api/triage/triage-queue.ts';
import { triageQueue } from '../../api/triage/triage-store.ts';
import { submissionQueue, useSubmissions } from '../../features/submissions/queue-store.ts';
import { isOpen, sendOptions, workflowOf } from '../../features/submissions/submission.ts';
import { paths } from '../../paths.ts';
import { bytes } from '../../ui/format.ts';
import { VerdictMark } from '../../features/report/verdict.tsx';
import { ReportHead } from '../../ui/report-head.tsx';
import { SaveTriage } from './save-triage.tsx';
import { judged, TriageDetails } from './triage-report.tsx';

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** Which file this is, and what can be done with it: submit it, save what was found, or forget it. */
export function TriageHead({ triage }: { triage: Triage }) {
  const { file, key, stage } = triage;
  const navigate = useNavigate();
  const discard = () => {
    triageQueue.remove(key);
    void navigate({ to: triageQueue.list().length > 0 ? paths.triage : paths.submit });
  };
  return (
    <ReportHead
      parent={{ to: paths.submit, text: 'Submit' }}
      here="In this browser"
      title={file.name}
      actions={
        <>
          {stage.at === 'done' && <SaveTriage id={key} file={file} report={stage.report} plan={stage.plan} />}
          <Button
            variant="default"
            leftSection={<IconTrash {...icon} />}
            data-hint="Forgets the report; the file itself stays where it is"
            onClick={discard}
          >
            Discard
          </Button>
          <SubmitIt triage={triage} />
        </>
      }
      details={stage.at === 'done' && <TriageDetails file={file} report={stage.report} plan={stage.plan} />}
    >
      {stage.at === 'done' && <VerdictMark job={judged(stage.report, stage.plan)} />}
    </ReportHead>
  );
}

/** Sends the very file with the options that were chosen for it, as the Submit page would. */
function SubmitIt({ triage: { key, file } }: { triage: Triage }) {
  const { list, options } = useSubmissions();
  const navigate = useNavigate();
  const { data: home } = useQuery(homeQuery);
  const submission = list.find((one) => one.key === key);
  if (!submission || !home) return null;
  const { stage } = submission;
  if (stage.at === 'waiting') return <span className="soft">Waiting for its turn</span>;
  if (stage.at === 'sending') {
    return (
      <span className="soft">
        Sending {bytes(stage.done)} of {bytes(file.size)}
      </span>
    );
  }
  if (stage.at === 'accepted') {
    const { job_id: jobId, reused } = stage.job;
    const open = () => navigate({ to: paths.job, params: { jobId }, search: reused ? { dup: true } : {} });
    return <Button onClick={() => void open()}>Open job {jobId}</Button>;
  }
  const sendable = isOpen(submission) && workflowOf(submission, options, home.workflows) !== null;
  return (
    <>
      {stage.at === 'refused' && <span role="alert">{stage.message}.</span>}
      {sendable && (
        <Button
          leftSection={<IconSend {...icon} />}
          onClick={() => submissionQueue.submit(key, sendOptions(submission, options, home.workflows))}
        >
          {stage.at === 'refused' ? 'Try again' : 'Submit it'}
        </Button>
      )}
    </>
  );
}
