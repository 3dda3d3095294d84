import { Button } from '@mantine/core';
import { IconDeviceDesktopSearch } from '@tabler/icons-react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { useTriages } from '../../api/triage/triage-store.ts';
import type { Triage } from '../../api/triage/triage-queue.ts';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/states.tsx';
import { TriageEnding } from './triage-ending.tsx';
import { TriageFiles } from './triage-files.tsx';
import { TriageHead } from './triage-head.tsx';
import { TriageNotice } from './triage-notice.tsx';
import styles from '../../features/report/report-page.module.css';
import { TriageProgressCard } from './triage-progress-card.tsx';
import { TriageReport } from './triage-report.tsx';

const route = getRouteApi(paths.triage);

/** Logs that are analysed in this browser, and their reports. */
export function TriagePage() {
  const { file } = route.useSearch();
  const triages = useTriages();
  const chosen = triages.find(({ key }) => key === file) ?? triages[0];
  // A report is large: it is rendered a little at a time, so that the page goes on answering.
  const shown = useDeferredValue(chosen);
  if (!chosen || !shown) return <Nothing />;
  return (
    <div className={styles.page}>
      <title>{`${chosen.file.name} · svc`}</title>
      <TriageHead key={chosen.key} triage={chosen} />
      {triages.length > 1 && <TriageFiles triages={triages} chosen={chosen.key} />}
      <TriageNotice triage={chosen} />
      <Body key={`${shown.key} ${shown.stage.at}`} triage={shown} />
    </div>
  );
}

function Body({ triage }: { triage: Triage }) {
  const { stage, key } = triage;
  switch (stage.at) {
    case 'waiting':
    case 'running':
      return <TriageProgressCard triage={triage} stage={stage} />;
    case 'done':
      return <TriageReport id={key} file={triage.file} report={stage.report} plan={stage.plan} />;
    case 'cancelled':
    case 'failed':
      return <TriageEnding triage={triage} stage={stage} />;
    default:
      return stage satisfies never;
  }
}

function Nothing() {
  return (
    <>
      <title>In this browser · svc</title>
      <EmptyState
        whole
        icon={IconDeviceDesktopSearch}
        title="No log is analysed in this browser"
        action={
          <Button component={Link} to={paths.submit}>
            Choose files
          </Button>
        }
      >
        Drop a log on the Submit page and choose “Analyse in this browser”: the rules come to the log, and nothing of it
        is sent. Reports made this way end with the window that made them.
      </EmptyState>
    </>
  );
}
