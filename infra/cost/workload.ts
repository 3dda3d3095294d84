import { prices } from './prices.ts';

const gib = 1024 ** 3;
const daysOfMonth = prices.hours / 24;

/** What is measured or assumed of one analysis; docs/scaling.md says which is which. */
export const measures = {
  /** Processor seconds that a file takes whatever its size (bench:http), and per MB with all rules at the first pass (bench:engine). */
  secondsPerFile: 0.034,
  secondsPerMb: 1 / 22,
  /** How much slower a core of Graviton2 is taken to be than one of the machine of the benchmarks. */
  slower: 1.5,
  /** Seconds an analysis waits for S3, DynamoDB and the database. */
  waits: 0.3,
  /** The fast lane's function: its memory. It is billed for all of it, and one file keeps one core busy. */
  fastLaneGb: 3008 / 1024,
  /** The heavy lane: megabytes that a worker fetches in a second, and seconds from its start to its first job and idle until its end. */
  fetchedMbPerSecond: 100,
  workerOverheadSeconds: 240,
  /** HTTP requests of a submission and a look at its report; each 60 ms of a function of 1.5 GB. */
  requests: 18,
  requestSeconds: 0.06,
  requestGb: 1.5,
  reportMb: 0.5,
  /** Send, receive, hide for the lease, delete. */
  messages: 4,
  /** Task, lease, two heartbeats, progress, end; and what reads them. */
  ledgerWrites: 6,
  ledgerReads: 6,
  logKb: 6,
  /**
   * Requests that each function traces in a second whatever comes, and the share of those beyond (Lambda Developer Guide,
   * "Visualize Lambda function invocations using AWS X-Ray"); how many functions share the requests.
   */
  tracedPerSecond: 1,
  tracedBeyond: 0.05,
  tracingFunctions: 4,
  /** Seconds of a periodic task, most of which find nothing to do. */
  periodicSeconds: 0.2,
  /** Metrics that Container Insights sends of a cluster, and API Gateway of a route. */
  clusterMetrics: 11,
  routeMetrics: 4,
  /** What remains of a file in the database, and beside it as objects. */
  databaseKb: 25,
  outputMb: 0.1,
  /** What PostgreSQL writes ahead of it. */
  walKb: 80,
  /** Objects of a file: itself, its findings, matches and sample events. */
  puts: 4,
  /** Seconds of a core of the database for a file, its report's queries included. */
  databaseSeconds: 0.06,
  /** Share of a day's files that come in its busiest hour. */
  busyHour: 0.2,
} as const;

/** What arrives, and how long it is kept. */
export interface Workload {
  readonly filesPerDay: number;
  /** Mean size of a file of the fast lane, and of one of the heavy lane. */
  readonly fastMb: number;
  readonly heavyMb: number;
  /** Share of files that take the heavy lane. */
  readonly heavyShare: number;
  /** Days that uploads are kept; 0 for ever, of which the twelfth month is looked at. */
  readonly uploadRetentionDays: number;
}

/** A worker of the heavy lane. */
export interface Worker {
  readonly cpu: number;
  readonly memoryMiB: number;
}

/** One item of what use costs. */
export interface UseLine {
  readonly what: string;
  readonly usd: number;
}

const { secondsPerFile, secondsPerMb, slower } = measures;

/** Seconds of the fast lane's function for a file. */
export function fastSeconds(mb: number): number {
  return measures.waits + slower * (secondsPerFile + mb * secondsPerMb);
}

/** Seconds of a heavy worker for a file, all of whose cores read it. */
export function heavySeconds(mb: number, { cpu }: Worker): number {
  const cores = cpu / 1024;
  return measures.waits + mb / measures.fetchedMbPerSecond + (slower * (secondsPerFile + mb * secondsPerMb)) / cores;
}

/**
 * What one file costs by each lane, storage left out; a heavy worker's start and end are shared by so many files, and of
 * its requests this share is traced.
 */
export function costOfJob(
  lane: 'fast' | 'heavy',
  mb: number,
  worker: Worker,
  { sharingStart = 1, traced = 1 }: { readonly sharingStart?: number; readonly traced?: number } = {},
): UseLine[] {
  const { requests, requestSeconds, requestGb, reportMb } = measures;
  const million = 1e6;
  return [
    lane === 'fast'
      ? {
          what: 'analysis in Lambda',
          usd: fastSeconds(mb) * measures.fastLaneGb * prices.lambdaGbSecond + prices.millionInvocations / million,
        }
      : {
          what: 'analysis in Fargate',
          usd: (heavySeconds(mb, worker) + measures.workerOverheadSeconds / sharingStart) * workerSecond(worker),
        },
    {
      what: 'HTTP API and its functions',
      usd:
        requests *
        ((prices.millionApiRequests + prices.millionInvocations) / million +
          requestSeconds * requestGb * prices.lambdaGbSecond),
    },
    { what: 'CloudFront', usd: (requests * prices.millionEdgeRequests) / million + (reportMb / 1024) * prices.edgeGb },
    { what: 'SQS', usd: (measures.messages * prices.millionMessages) / million },
    {
      what: 'DynamoDB',
      usd: (measures.ledgerWrites * prices.millionWrites + measures.ledgerReads * prices.millionReads) / million,
    },
    // A look at its events, and ranges of 16 MB.
    {
      what: 'S3 requests',
      usd: (measures.puts * prices.thousandPuts + (2 + Math.ceil(mb / 16)) * prices.thousandGets) / 1000,
    },
    {
      what: 'logs and traces',
      usd: (measures.logKb / 1024 ** 2) * prices.logGb + (requests * traced * prices.millionTraces) / million,
    },
  ];
}

function workerSecond({ cpu, memoryMiB }: Worker): number {
  return ((cpu / 1024) * prices.fargateVcpuHour + (memoryMiB / 1024) * prices.fargateGbHour) / 3600;
}

/** Share of the requests that are traced: all while each function has less than one in a second, ever fewer beyond. */
export function tracedShare({ filesPerDay }: Pick<Workload, 'filesPerDay'>): number {
  const { busyHour, requests, tracedBeyond, tracedPerSecond, tracingFunctions } = measures;
  const always = tracedPerSecond * tracingFunctions;
  const parts = [
    { share: busyHour, seconds: 3600 },
    { share: 1 - busyHour, seconds: 86_400 - 3600 },
  ];
  return parts.reduce((sum, { share, seconds }) => {
    const rate = (filesPerDay * requests * share) / seconds;
    const traced = rate <= always ? rate : always + tracedBeyond * (rate - always);
    return sum + share * (rate === 0 ? 1 : traced / rate);
  }, 0);
}

/** Jobs that a heavy worker does between its start and its end: as many as arrive in that time, and at least one. */
export function jobsPerStart({ filesPerDay, heavyShare, heavyMb }: Workload, worker: Worker): number {
  const stays = measures.workerOverheadSeconds + heavySeconds(heavyMb, worker);
  return Math.max(1, (filesPerDay * heavyShare * stays) / 86_400);
}

/** GB in S3 and in the database once files have come for a year, or for as long as they are kept. */
export function stored(workload: Workload): { standardGb: number; coldGb: number; databaseGb: number } {
  const { filesPerDay, fastMb, heavyMb, heavyShare, uploadRetentionDays } = workload;
  const dailyGb = (filesPerDay * (fastMb * (1 - heavyShare) + heavyMb * heavyShare)) / 1024;
  const outputGb = (filesPerDay * measures.outputMb * 90) / 1024;
  const days = uploadRetentionDays === 0 ? 365 : Math.min(365, uploadRetentionDays);
  const cools = uploadRetentionDays === 0 || uploadRetentionDays >= 180;
  const warmDays = cools ? Math.min(90, days) : days;
  return {
    standardGb: dailyGb * warmDays + outputGb,
    coldGb: dailyGb * (days - warmDays),
    databaseGb: (filesPerDay * 365 * measures.databaseKb * 1024) / gib,
  };
}

/** What a month of this costs beyond idling. */
export function costOfMonth(workload: Workload, worker: Worker, multiAz: boolean): UseLine[] {
  const { filesPerDay, fastMb, heavyMb, heavyShare } = workload;
  const jobs = filesPerDay * daysOfMonth;
  const perStart = jobsPerStart(workload, worker);
  const byWhat = new Map<string, number>();
  const add = (lines: readonly UseLine[], times: number): void => {
    for (const { what, usd } of lines) byWhat.set(what, (byWhat.get(what) ?? 0) + usd * times);
  };
  const traced = tracedShare(workload);
  add(costOfJob('fast', fastMb, worker, { traced }), jobs * (1 - heavyShare));
  add(costOfJob('heavy', heavyMb, worker, { sharingStart: perStart, traced }), jobs * heavyShare);
  const { standardGb, coldGb, databaseGb } = stored(workload);
  const moved = coldGb > 0 ? (jobs * prices.thousandMovesToCold) / 1000 : 0;
  add(
    [{ what: 'objects kept', usd: standardGb * prices.objectGbMonth + coldGb * prices.coldObjectGbMonth + moved }],
    1,
  );
  add([{ what: 'database space', usd: databaseGb * prices.databaseGbMonth * (multiAz ? 2 : 1) }], 1);
  return [...byWhat].map(([what, usd]) => ({ what, usd })).toSorted((a, b) => b.usd - a.usd);
}

/** What the busiest hour keeps busy at once. */
export interface Peak {
  readonly filesPerSecond: number;
  readonly requestsPerSecond: number;
  /** Functions running at the same time: of the fast lane, of the API. */
  readonly fastFunctions: number;
  readonly apiFunctions: number;
  readonly heavyWorkers: number;
  readonly databaseCores: number;
  readonly ledgerWritesPerSecond: number;
  readonly putsPerSecond: number;
  readonly walMbPerSecond: number;
}

/** By Little's law: as many at once as arrive in the time that one takes. */
export function peakOf({ filesPerDay, fastMb, heavyMb, heavyShare }: Workload, worker: Worker): Peak {
  const filesPerSecond = (filesPerDay * measures.busyHour) / 3600;
  const requestsPerSecond = filesPerSecond * measures.requests;
  return {
    filesPerSecond,
    requestsPerSecond,
    fastFunctions: filesPerSecond * (1 - heavyShare) * fastSeconds(fastMb),
    apiFunctions: requestsPerSecond * measures.requestSeconds,
    heavyWorkers: filesPerSecond * heavyShare * heavySeconds(heavyMb, worker),
    databaseCores: filesPerSecond * measures.databaseSeconds,
    ledgerWritesPerSecond: filesPerSecond * measures.ledgerWrites,
    putsPerSecond: filesPerSecond * measures.puts,
    walMbPerSecond: (filesPerSecond * measures.walKb) / 1000,
  };
}
