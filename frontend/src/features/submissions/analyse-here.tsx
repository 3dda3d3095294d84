import { Button } from '@mantine/core';
import { IconDeviceDesktopSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { triageQueue, useTriages } from '../../api/triage/triage-store.ts';
import { paths } from '../../paths.ts';
import { typeOf, workflowOf, type CommonReading, type Submission, type WorkflowChoice } from './submission.ts';

interface AnalyseHereProps {
  readonly list: readonly Submission[];
  readonly common: CommonReading;
  readonly workflows: readonly WorkflowChoice[];
}

/** Analyses the files in this browser instead of sending them, and opens their reports. */
export function AnalyseHere({ list, common, workflows }: AnalyseHereProps) {
  const triages = useTriages();
  const navigate = useNavigate();
  const files = list.filter(isAtHand).map((submission) => {
    const logType = typeOf(submission, common);
    const workflowId = logType === null ? null : (workflowOf(submission, common, workflows)?.id ?? null);
    return { key: submission.key, file: submission.file, logType, workflowId };
  });
  const fresh = files.filter(
    ({ key, logType, workflowId }) =>
      !triages.some((known) => known.key === key && known.logType === logType && known.workflowId === workflowId),
  );
  const first = fresh[0] ?? files[0];
  if (!first) return null;
  const analyse = () => {
    triageQueue.add(fresh);
    void navigate({ to: paths.triage, search: { file: first.key } });
  };
  return (
    <Button
      size="sm"
      variant="default"
      leftSection={<IconDeviceDesktopSearch size={16} stroke={1.75} aria-hidden="true" />}
      disabled={list.some(({ detection }) => detection.at === 'asking')}
      data-hint="Nothing is sent: the rules come to the log, and the report stays in this window"
      onClick={analyse}
    >
      {fresh.length > 0 ? 'Analyse in this browser' : 'Reports in this browser'}
    </Button>
  );
}

/** Whether a file still waits to be sent, or is too large to be: what was sent has its report at the service. */
function isAtHand({ stage }: Submission): boolean {
  return stage.at === 'ready' || (stage.at === 'refused' && stage.code !== 'empty');
}
