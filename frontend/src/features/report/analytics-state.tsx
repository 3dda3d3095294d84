import type { Analytics } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { IconHourglassEmpty } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { analyticsQuery, useReport } from '../../api/report-source.ts';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { FindingsSkeleton } from './job-skeleton.tsx';

const reasons = {
  pending: 'The analysis has not ended yet.',
  skipped: 'This job was analysed without them. Submit the file again to have them made.',
  failed: 'The analysis failed before they were made.',
} as const;

/** Shows what was derived from the events of a report, or why there is nothing to show. */
export function WithAnalytics({ children }: { children: (analytics: Analytics) => ReactNode }) {
  const { data, error, refetch } = useQuery(analyticsQuery(useReport()));
  if (error) return <ErrorState what="This cannot be read" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <FindingsSkeleton />;
  if (data.analytics !== null) return children(data.analytics);
  return (
    <div className="card">
      <EmptyState icon={IconHourglassEmpty} title="Nothing was derived from the events of this job">
        {data.state === 'ready' ? '' : reasons[data.state]}
      </EmptyState>
    </div>
  );
}
