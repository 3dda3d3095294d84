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
import { getCaseAiFacts, getJobAiFacts } from '@svc/application/ai/get-facts.ts';
import { listAiProviders } from '@svc/application/ai/list-providers.ts';
import { listCaseAiRuns, listJobAiRuns } from '@svc/application/ai/list-runs.ts';
import { startCaseAiRun, startJobAiRun } from '@svc/application/ai/start-run.ts';
import { cancelCaseAiRun, cancelJobAiRun, deleteCaseAiRuns, deleteJobAiRuns } from '@svc/application/ai/stop-run.ts';
import { testAiProvider } from '@svc/application/ai/test-provider.ts';
import type { InputOf, operations } from '@svc/contracts';
import type { Actor } from '@svc/domain';
import { buffer } from 'node:stream/consumers';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type PortsOf, type Presentation, type RouteRequest, type TableOf } from '../route.ts';

type RunAsked = InputOf<typeof operations.followJobAiRun>;
type Followed = { readonly content: AsyncIterable<Uint8Array> } | { readonly bytes: Uint8Array };
type Follow = typeof followJobAiRun;

/** What a follower is sent: as it comes or, where an answer is handed over at once, what is next, after which they ask again. */
const followed =
  (follow: Follow) =>
  async (ports: PortsOf<Follow>, actor: Actor, input: RunAsked, request: RouteRequest): Promise<Followed> => {
    const { headers, streams } = request;
    const content = await follow(ports, actor, { ...input, lastEventId: headers['last-event-id'], isOnce: !streams });
    return streams ? { content } : { bytes: await buffer(content) };
  };

/** Proxies keep nothing of it back. */
const streamed = (answer: Followed): Presentation => ({ ...answer, headers: { 'x-accel-buffering': 'no' } });

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
  getJobAiFacts,
  getCaseAiFacts,
  listJobAiRuns,
  startJobAiRun,
  followJobAiRun: presented(followed(followJobAiRun), streamed),
  cancelJobAiRun,
  deleteJobAiRuns,
  listCaseAiRuns,
  startCaseAiRun,
  followCaseAiRun: presented(followed(followCaseAiRun), streamed),
  cancelCaseAiRun,
  deleteCaseAiRuns,
} satisfies TableOf<'ai'>;

export const handler = areaHandler(areaPorts.ai, table);
