import type { EntityRow, operations, OutputOf } from '@svc/contracts';
import { type Column, gridLines } from './grid.ts';
import type { Style } from './style.ts';
import { number, printable } from './text.ts';

/** What `svc intel show` tells of an entity. */
export interface ShownEntity {
  readonly entity: OutputOf<typeof operations.getEntity>;
  /** The newest that the token’s account sees. */
  readonly jobs: OutputOf<typeof operations.listEntityJobs>;
  readonly findings: OutputOf<typeof operations.listEntityFindings>;
}

const columns: readonly Column<EntityRow>[] = [
  { title: 'value', cell: ({ value }) => value, flexible: 24 },
  { title: 'type', cell: ({ entity_type: type }) => type },
  { title: 'jobs', cell: ({ job_count: jobs }) => number(jobs), isNumber: true },
  { title: 'last seen', cell: ({ last_seen_at: at }) => minute(at), rank: 2 },
  { title: 'labels', cell: labelsOf, rank: 1 },
];

/** A line per entity, and how many there are. */
export function entitiesTable(
  rows: readonly EntityRow[],
  total: number,
  place: { readonly width: number; readonly style: Style },
): string {
  const end = rows.length < total ? `${number(rows.length)} of ${entitiesIn(total)}` : entitiesIn(total);
  return rows.length === 0
    ? 'No entity is met by this search.\n'
    : [...gridLines(columns, rows, place), '', end, ''].join('\n');
}

/** What is known of an entity, in lines. */
export function entityText({ entity, jobs, findings }: ShownEntity): string {
  const { value, entity_type: type, notes } = entity;
  const facts = [
    `${printable(value)}  (${type}, #${entity.id})`,
    `  seen in ${entity.job_count === 1 ? '1 job' : `${number(entity.job_count)} jobs`} of everybody, ${minute(entity.first_seen_at)} to ${minute(entity.last_seen_at)}`,
    ...(entity.allowlisted
      ? [`  allowlisted${entity.allowlist_reason ? `: ${printable(entity.allowlist_reason)}` : ''}`]
      : []),
    ...(entity.attribute_keys.length > 0 ? [`  attributes: ${entity.attribute_keys.join(', ')}`] : []),
    ...(entity.tags.length > 0 ? [`  tags: ${entity.tags.map(({ tag }) => printable(tag)).join(', ')}`] : []),
    ...(notes === null ? [] : notes.split('\n').map((line) => `  note: ${printable(line)}`)),
    ...listed(
      'jobs that name it',
      jobs,
      jobs.jobs.map(({ id, filename, status }) => `#${id}  ${filename}  ${status}`),
    ),
    ...listed(
      'findings that name it',
      findings,
      findings.findings.map(
        (one) => `${one.severity}  ${one.rule_name}  (${number(one.count)} events, job #${one.job_id})`,
      ),
    ),
  ];
  return `${facts.join('\n')}\n`;
}

export function entitiesIn(many: number): string {
  return many === 1 ? '1 entity' : `${number(many)} entities`;
}

const mostTold = 10;

function listed(title: string, { total }: { readonly total: number }, lines: readonly string[]): string[] {
  if (total === 0) return [];
  const told = lines.slice(0, mostTold).map((line) => `    ${printable(line)}`);
  const rest = total - told.length;
  return [`  ${title}: ${number(total)}`, ...told, ...(rest > 0 ? [`    and ${number(rest)} more`] : [])];
}

function labelsOf({ tags, attributes, allowlisted }: EntityRow): string {
  return [...(allowlisted ? ['allowlisted'] : []), ...tags.map(({ tag }) => `#${tag}`), ...attributes].join(' ');
}

function minute(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;
}
