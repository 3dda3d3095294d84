import { Button } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconRefresh } from '@tabler/icons-react';
import { isFinal, type Triage, type TriageStage } from '../../api/triage/triage-queue.ts';
import { triageQueue } from '../../api/triage/triage-store.ts';
import { ErrorState, EmptyState, reasonOf } from '../../ui/states.tsx';

type Ended = Extract<TriageStage, { at: 'cancelled' | 'failed' }>;

/** An analysis that came to no report, and why. */
export function TriageEnding({ triage, stage }: { triage: Triage; stage: Ended }) {
  const again = () => triageQueue.add([triage]);
  if (stage.at === 'cancelled') {
    return (
      <div className="card">
        <EmptyState
          icon={IconBan}
          title="Cancelled"
          action={
            <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={again}>
              Analyse again
            </Button>
          }
        >
          The log was not read to its end, and what had been found is not kept.
        </EmptyState>
      </div>
    );
  }
  return (
    <div className="card">
      {isFinal(stage.error) ? (
        <EmptyState icon={IconAlertTriangle} title="This log could not be analysed">
          {sentenceOf(reasonOf(stage.error))}
        </EmptyState>
      ) : (
        <ErrorState what="This log could not be analysed" error={stage.error} retry={again} />
      )}
    </div>
  );
}

function sentenceOf(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
