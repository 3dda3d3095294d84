import { Button } from '@mantine/core';
import { IconDownload, IconSend, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { homeQuery } from '../../api/queries.ts';
import { saveBlob } from '../../api/save-blob.ts';
import { findingsCsv, findingsJson, navigatorLayer } from '../../api/triage/local-report.ts';
import type { LocalReport } from '../../api/triage/messages.ts';
import type { Triage } from '../../api/triage/triage-queue.ts';
import { triageQueue } from '../../api/triage/triage-store.ts';
import { submissionQueue, useSubmissions } from '../../features/submissions/queue-store.ts';
import { isOpen, sendOptions, workflowOf } from '../../features/submissions/submission.ts';
import { paths } from '../../paths.ts';
import { bytes } from '../../ui/format.ts';
import { ReportHead } from '../../ui/report-head.tsx';

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
          {stage.at === 'done' && stage.report.findings.length > 0 && (
            <Downloads report={stage.report} name={file.name} />
          )}
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
    />
  );
}

function Downloads({ report, name }: { report: LocalReport; name: string }) {
  const layer = () => new Blob([JSON.stringify(navigatorLayer(report, name), null, 2)], { type: 'application/json' });
  return (
    <>
      <Save name={`${name}_findings.json`} make={() => findingsJson(report)}>
        Findings as JSON
      </Save>
      <Save name={`${name}_findings.csv`} make={() => findingsCsv(report)}>
        CSV
      </Save>
      <Save name={`${name}_attack_layer.json`} make={layer}>
        Navigator layer
      </Save>
    </>
  );
}

function Save(props: { name: string; make: () => Blob | Promise<Blob>; children: string }) {
  const { name, make, children } = props;
  return (
    <Button
      variant="default"
      leftSection={<IconDownload {...icon} />}
      onClick={async () => saveBlob(await make(), name)}
    >
      {children}
    </Button>
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
