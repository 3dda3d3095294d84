import type { JobDetail } from '@svc/contracts';
import { isTerminal } from '@svc/domain';
import { IconBraces, IconFileText, IconPrinter, IconTable } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { findingsQuery } from '../../../api/queries.ts';
import { queryClient } from '../../../api/query-client.ts';
import { findingsDownload, findingsTable } from '../../../paths.ts';
import { handedJob } from './handed-job.ts';
import { printHandover, saveHandover } from './hand-over.ts';
import { SaveMenu, type SavedForm } from './save-menu.tsx';

/** What can be taken along of a job's report; nothing while there is none. */
export function SaveJob({ job }: { job: JobDetail }) {
  const id = job.job_id;
  const handOver = useMutation({
    mutationFn: async (way: 'save' | 'print') => {
      const report = handedJob(job, await queryClient.ensureQueryData(findingsQuery(id)));
      return way === 'save' ? saveHandover(report, `job_${id}_report.html`) : printHandover(report);
    },
  });
  if (!isTerminal(job.status)) return null;
  const findings: readonly SavedForm[] = [
    { text: 'Findings as CSV', icon: IconTable, href: findingsTable(id), fileName: `job_${id}_findings.csv` },
    { text: 'Findings as JSON', icon: IconBraces, href: findingsDownload(id), fileName: `job_${id}_findings.json` },
  ];
  return (
    <SaveMenu
      pending={handOver.isPending}
      error={handOver.error}
      forms={[
        { text: 'Report as HTML', icon: IconFileText, onSave: () => handOver.mutate('save') },
        { text: 'Print report', icon: IconPrinter, onSave: () => handOver.mutate('print') },
        ...(job.total_findings > 0 ? findings : []),
      ]}
    />
  );
}
