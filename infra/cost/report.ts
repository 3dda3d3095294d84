import { sizes } from '../settings.ts';
import { idleCost, total } from './idle.ts';
import { priceSource } from './prices.ts';
import { savingsOf } from './savings.ts';
import type { CostTemplates } from './template.ts';
import { costOfJob, costOfMonth, jobsPerStart, peakOf, stored, type Workload } from './workload.ts';

export type Size = keyof typeof sizes;
export type TemplatesBySize = Readonly<Record<Size, CostTemplates>>;

/** A table of texts, its first row the head. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What arrives unless the command says otherwise: event logs of 2 MB, and one in twenty of 120 MB. */
export const usual: Omit<Workload, 'filesPerDay'> = {
  fastMb: 2,
  heavyMb: 120,
  heavyShare: 0.05,
  uploadRetentionDays: 0,
};

/** Files a day, and the size of installation for as many. */
const volumes: readonly (readonly [number, Size])[] = [
  [10, 'small'],
  [1000, 'small'],
  [100_000, 'ha'],
  [1_000_000, 'ha'],
];

const dollars = (usd: number): string => (usd > 0 && usd < 0.005 ? '< 0.01' : usd.toFixed(2));
const thousand = (usd: number): string => (usd * 1000).toFixed(3);
const whole = (usd: number): string => Math.round(usd).toLocaleString('en-US');
const figure = (value: number): string =>
  value === 0 ? '0' : value >= 100 ? whole(value) : value.toPrecision(2).replace(/\.0$/, '');

/** USD a month of each thing that costs without being used. */
export function idleTable(templates: CostTemplates): Table {
  const lines = idleCost(templates);
  return {
    head: ['part', 'what', 'count', 'USD a month'],
    rows: [
      ...lines.map(({ part, what, count, usd }) => [part, what, String(count), dollars(usd)]),
      ['', 'in all', '', dollars(total(lines))],
    ],
  };
}

/** What each further saving would give up. */
export function savingsTable(templates: CostTemplates): Table {
  return {
    head: ['instead', 'saves USD a month', 'gives up'],
    rows: savingsOf(idleCost(templates)).map(({ instead, usd, givesUp }) => [instead, dollars(usd), givesUp]),
  };
}

/** USD of a thousand files, by lane. */
export function jobTable(size: Size, workload = usual): Table {
  const { worker } = sizes[size];
  const { fastMb, heavyMb } = workload;
  const fast = costOfJob('fast', fastMb, worker);
  const heavy = costOfJob('heavy', heavyMb, worker);
  return {
    head: ['what', `1000 × ${fastMb} MB, fast lane`, `1000 × ${heavyMb} MB, heavy lane, each a worker of its own`],
    rows: [
      ...fast.map(({ what, usd }, index) => [
        what.replace(/ in .*/, ''),
        thousand(usd),
        thousand(heavy[index]?.usd ?? 0),
      ]),
      ['in all', thousand(total(fast)), thousand(total(heavy))],
    ],
  };
}

/** USD a month of these volumes, in the twelfth month where files are kept for ever. */
export function volumeTable(templates: TemplatesBySize, workload = usual): Table {
  const columns = volumes.map(([filesPerDay, size]) => {
    const use = costOfMonth({ ...workload, filesPerDay }, sizes[size].worker, sizes[size].database.multiAz);
    return { idle: total(idleCost(templates[size])), use: new Map(use.map(({ what, usd }) => [what, usd])) };
  });
  const items = [...new Set(columns.toReversed().flatMap(({ use }) => [...use.keys()]))];
  const sum = (column: (typeof columns)[number]): number =>
    column.idle + [...column.use.values()].reduce((a, b) => a + b, 0);
  return {
    head: ['USD a month', ...volumes.map(([files, size]) => `${whole(files)} files a day, ${size}`)],
    rows: [
      ['idle', ...columns.map(({ idle }) => dollars(idle))],
      ...items.map((what) => [what, ...columns.map(({ use }) => dollars(use.get(what) ?? 0))]),
      ['in all', ...columns.map((column) => dollars(sum(column)))],
    ],
  };
}

/** What the busiest hour of these volumes keeps busy, and what a year leaves. */
export function peakTable(workload = usual): Table {
  const columns = volumes.map(([filesPerDay, size]) => {
    const { worker } = sizes[size];
    const load = { ...workload, filesPerDay };
    return { ...peakOf(load, worker), ...stored(load), jobsPerStart: jobsPerStart(load, worker) };
  });
  const row = (what: string, of: (column: (typeof columns)[number]) => number): string[] => [
    what,
    ...columns.map((column) => figure(of(column))),
  ];
  return {
    head: ['in the busiest hour', ...volumes.map(([files, size]) => `${whole(files)} files a day, ${size}`)],
    rows: [
      row('files a second', ({ filesPerSecond }) => filesPerSecond),
      row('requests a second', ({ requestsPerSecond }) => requestsPerSecond),
      row('functions of the fast lane at once', ({ fastFunctions }) => fastFunctions),
      row('functions of the API at once', ({ apiFunctions }) => apiFunctions),
      row('workers of the heavy lane at once', ({ heavyWorkers }) => heavyWorkers),
      row('files that a worker does before it ends', (column) => column.jobsPerStart),
      row('cores of the database', ({ databaseCores }) => databaseCores),
      row('writes to the ledger a second', ({ ledgerWritesPerSecond }) => ledgerWritesPerSecond),
      row('objects stored a second', ({ putsPerSecond }) => putsPerSecond),
      row('MB of write-ahead log a second', ({ walMbPerSecond }) => walMbPerSecond),
      row('GB in the database after a year', ({ databaseGb }) => databaseGb),
      row('GB in S3 after a year', ({ standardGb, coldGb }) => standardGb + coldGb),
    ],
  };
}

/** The tables of the documents, by the names of their marks. */
export function documentTables(templates: TemplatesBySize): Readonly<Record<string, Readonly<Record<string, Table>>>> {
  return {
    'docs/aws.md': {
      'idle-small': idleTable(templates.small),
      'idle-ha': idleTable(templates.ha),
      savings: savingsTable(templates.small),
    },
    'docs/scaling.md': { jobs: jobTable('small'), volumes: volumeTable(templates), peaks: peakTable() },
  };
}

/** All of it for a terminal. */
export function costReport(templates: TemplatesBySize, workload = usual): string {
  return [
    ['Idle, size small', idleTable(templates.small)],
    ['What each further saving would give up', savingsTable(templates.small)],
    ['Idle, size ha', idleTable(templates.ha)],
    ['A thousand files, storage left out (USD)', jobTable('small', workload)],
    ['A month', volumeTable(templates, workload)],
    ['The busiest hour', peakTable(workload)],
  ]
    .map(([title, table]) => `${title as string}\n${aligned(table as Table)}\n`)
    .concat(`${priceSource}.`)
    .join('\n');
}

function aligned({ head, rows }: Table): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row.map((cell, column) => cell.padEnd(column === row.length - 1 ? 0 : (widths[column] ?? 0))).join('  '),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}
