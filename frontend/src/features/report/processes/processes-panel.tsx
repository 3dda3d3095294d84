import type { FindingRow } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { IconBinaryTree } from '@tabler/icons-react';
import { processTreeQuery, useReport } from '../../../api/report-source.ts';
import { count, counted } from '../../../ui/format.ts';
import { ProcessTree } from '../../../ui/process-tree/process-tree.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { FindingsSkeleton } from '../job-skeleton.tsx';
import { useJobView } from '../use-job-view.ts';

/** The processes that matched events tell of, each under the one that started it. */
export function ProcessesPanel({ findings }: { findings: readonly FindingRow[] }) {
  const { data, error, refetch } = useQuery(processTreeQuery(useReport()));
  const [{ find = '' }, change] = useJobView();
  if (error) return <ErrorState what="The process tree cannot be read" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <FindingsSkeleton />;
  const { roots, stats } = data;
  if (roots.length > 0) {
    return (
      <ProcessTree
        roots={roots}
        facts={
          <>
            {counted(stats.hits, 'matched process', 'matched processes')}, {counted(stats.inferred, 'ancestor')}{' '}
            inferred
            {stats.truncated && `; only the first ${count(stats.max_nodes)} are shown`}
          </>
        }
        text={find}
        onText={(text) => change({ find: text || undefined })}
        findings={findings}
        onFinding={(finding) => change({ view: undefined, finding })}
      />
    );
  }
  return (
    <div className="card">
      <EmptyState icon={IconBinaryTree} title="No process was started in the matched events">
        The tree is made from matched events that tell of a start: Sysmon 1, Security 4688, and records of auditd.
      </EmptyState>
    </div>
  );
}
