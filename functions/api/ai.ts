import {
  changeAiProvider,
  clearAiProviderToken,
  createAiProvider,
  deleteAiProvider,
  duplicateAiProvider,
  setDefaultAiProvider,
  toggleAiProvider,
} from '@svc/application/ai/change-providers.ts';
import { followCaseAiRun, followJobAiRun } from '@svc/application/ai/follow-run.ts';
import { listAiProviders } from '@svc/application/ai/list-providers.ts';
import { listCaseAiRuns, listJobAiRuns } from '@svc/application/ai/list-runs.ts';
import { startCaseAiRun, startJobAiRun } from '@svc/application/ai/start-run.ts';
import { cancelCaseAiRun, cancelJobAiRun, deleteCaseAiRuns, deleteJobAiRuns } from '@svc/application/ai/stop-run.ts';
import { testAiProvider } from '@svc/application/ai/test-provider.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type RouteRequest, type TableOf } from '../route.ts';

/** Proxies keep nothing of a stream back. */
const streamed = (content: AsyncIterable<Uint8Array>) => ({ content, headers: { 'x-accel-buffering': 'no' } });
const from = <I>(input: I, { headers }: RouteRequest) => ({ ...input, lastEventId: headers['last-event-id'] });

const table = {
  listAiProviders,
  createAiProvider,
  changeAiProvider,
  toggleAiProvider,
  setDefaultAiProvider,
  clearAiProviderToken,
  duplicateAiProvider,
  deleteAiProvider,
  testAiProvider,
  listJobAiRuns,
  startJobAiRun,
  followJobAiRun: presented(
    (ports: Parameters<typeof followJobAiRun>[0], actor, input: Parameters<typeof followJobAiRun>[2], request) =>
      followJobAiRun(ports, actor, from(input, request)),
    streamed,
  ),
  cancelJobAiRun,
  deleteJobAiRuns,
  listCaseAiRuns,
  startCaseAiRun,
  followCaseAiRun: presented(
    (ports: Parameters<typeof followCaseAiRun>[0], actor, input: Parameters<typeof followCaseAiRun>[2], request) =>
      followCaseAiRun(ports, actor, from(input, request)),
    streamed,
  ),
  cancelCaseAiRun,
  deleteCaseAiRuns,
} satisfies TableOf<'ai'>;

export const handler = areaHandler(areaPorts.ai, table);
