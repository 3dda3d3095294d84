import { operations, usualWorkflow } from '@svc/contracts';
import { logTypeLabels } from '@svc/domain';
import { useSyncExternalStore } from 'react';
import { detectType } from '../detect-type.ts';
import { homeQuery } from '../queries.ts';
import { queryClient } from '../query-client.ts';
import { operationQuery } from '../query-key.ts';
import { keepInMind } from '../unsaved-work.ts';
import { runTriage, TriageFailure } from './run-triage.ts';
import { TriageQueue, type Triage } from './triage-queue.ts';

/** The analyses of this window; they outlive the page that shows them. */
export const triageQueue = new TriageQueue({
  detect: detectType,
  plan: async (chosen, logType) => {
    const { workflows } = await queryClient.ensureQueryData(homeQuery);
    const id = chosen ?? usualWorkflow(workflows, logType)?.id;
    if (id === undefined) {
      throw new TriageFailure(
        logType === 'unknown'
          ? 'Its type cannot be told. Choose it on the Submit page, if you know it.'
          : `No workflow reads this type: ${logTypeLabels[logType]}.`,
      );
    }
    return queryClient.fetchQuery({
      ...operationQuery(operations.getTriagePlan, { workflow_id: id }),
      // So many files of one drop go by one plan.
      staleTime: 30_000,
    });
  },
  run: runTriage,
});

/** Reports here are nowhere else: the browser asks before it closes the page over them. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function isAtStake(): boolean {
  return triageQueue.list().some(({ stage }) => stage.at === 'running' || stage.at === 'done');
}

keepInMind(isAtStake);
triageQueue.subscribe(() => {
  if (isAtStake()) addEventListener('beforeunload', warn);
  else removeEventListener('beforeunload', warn);
});

/** The analyses of this window, re-rendered as they go on. */
export function useTriages(): readonly Triage[] {
  return useSyncExternalStore(triageQueue.subscribe, triageQueue.list);
}
