import type { FindingRow } from '@svc/contracts';
import {
  attackPlaces,
  count,
  counted,
  otherTactic,
  sentence,
  tactics,
  tacticsOf,
  techniquesOf,
  techniqueTitle,
  type TacticGroup,
} from '@svc/domain';
import { node, type DocumentNode } from './document-node.ts';
import { worstFindings, type Handover } from './handover.ts';
import { shownTime } from './shown-time.ts';

/** Findings that are told in their order of time. */
const mostInOrder = 25;

/** The findings that matter most, with evidence; then in order of time, and under ATT&CK. */
export function findingsPart(handover: Handover): DocumentNode[] {
  const { findings, panels } = handover;
  if (findings.length === 0) return [];
  return [
    section(...worst(handover)),
    section(...inOrder(findings)),
    ...(panels.mitre_heatmap ? [section(...attack(findings))] : []),
  ];
}

function section(...children: readonly (DocumentNode | null)[]): DocumentNode {
  return node('section', {}, children);
}

function worst({ findings, evidence }: Handover): DocumentNode[] {
  const told = worstFindings(findings);
  return [
    node(
      'h2',
      {},
      told.length < findings.length ? `The worst ${counted(told.length, 'finding')}` : 'Findings with evidence',
    ),
    node(
      'ol',
      { class: 'worst' },
      told.map((finding) =>
        node(
          'li',
          {},
          node('p', { class: 'finding' }, severityMark(finding), ' ', node('b', {}, finding.rule_name)),
          node('p', { class: 'soft' }, aboutOf(finding)),
          evidence &&
            node('p', { class: 'evidence' }, node('code', {}, evidence.get(finding.id) ?? 'No event is kept.')),
        ),
      ),
    ),
  ];
}

function aboutOf(finding: FindingRow): string {
  const { first_seen: first, last_seen: last } = finding;
  const times =
    first === null
      ? null
      : first === last || last === null
        ? shownTime(first)
        : `${shownTime(first)} to ${shownTime(last)}`;
  return [counted(finding.count, 'matched event'), times, techniquesOf(finding.tags).map(techniqueTitle).join(', ')]
    .filter(Boolean)
    .join(' · ');
}

/** The severity of a finding, as a word; its colour is never alone. */
export function severityMark({ severity }: Pick<FindingRow, 'severity'>): DocumentNode {
  return node('span', { class: `severity ${severity}` }, sentence(severity));
}

/** A table whose head stands on every page that it reaches. */
export function tableOf(
  heads: readonly (readonly [text: string, kind?: string])[],
  rows: readonly DocumentNode[],
): DocumentNode {
  const cells = heads.map(([text, kind]) =>
    node('th', { scope: 'col', ...(kind !== undefined && { class: kind }) }, text),
  );
  return node('table', {}, node('thead', {}, node('tr', {}, cells)), node('tbody', {}, rows));
}

function inOrder(findings: readonly FindingRow[]): DocumentNode[] {
  const timed = findings.filter(({ first_seen: first }) => first !== null);
  if (timed.length === 0) return [];
  const shown = timed.slice(0, mostInOrder).sort((a, b) => (a.first_seen! < b.first_seen! ? -1 : 1));
  return [
    node('h2', {}, 'Timeline'),
    node(
      'p',
      { class: 'soft' },
      shown.length < timed.length
        ? `The ${shown.length} worst of ${counted(timed.length, 'finding')} by their first matched event; all are in the appendix.`
        : 'The findings by their first matched event.',
    ),
    tableOf(
      [['First, UTC', 'tight'], ['Last, UTC', 'tight'], ['Severity', 'tight'], ['Rule'], ['Events', 'number']],
      shown.map((finding) =>
        node(
          'tr',
          {},
          node('td', { class: 'tight' }, shownTime(finding.first_seen)),
          node('td', { class: 'tight' }, shownTime(finding.last_seen)),
          node('td', { class: 'tight' }, severityMark(finding)),
          node('td', { class: 'value' }, finding.rule_name),
          node('td', { class: 'number' }, count(finding.count)),
        ),
      ),
    ),
  ];
}

/** A tactic as a reader writes it. */
function tacticName(tactic: TacticGroup): string {
  return tactic === otherTactic ? 'No tactic' : sentence(tactic);
}

function attack(findings: readonly FindingRow[]): DocumentNode[] {
  const columns = new Map<TacticGroup, Map<string, number>>();
  for (const { tags, count: events } of findings) {
    for (const { tactic, technique } of attackPlaces(tags)) {
      const cells = columns.get(tactic) ?? new Map<string, number>();
      columns.set(tactic, cells.set(technique, (cells.get(technique) ?? 0) + events));
    }
  }
  const groups: readonly TacticGroup[] = [...tactics, otherTactic];
  return [
    node('h2', {}, 'ATT&CK'),
    tableOf(
      [['Tactic'], ['Techniques, with their matched events']],
      groups
        .filter((group) => columns.has(group))
        .map((group) =>
          node(
            'tr',
            {},
            node('td', { class: 'tight' }, tacticName(group)),
            node(
              'td',
              {},
              [...columns.get(group)!]
                .sort(([a], [b]) => (a < b ? -1 : 1))
                .map(([technique, events]) =>
                  node(
                    'span',
                    { class: 'technique' },
                    `${technique === '' ? 'no technique' : techniqueTitle(technique)} (${count(events)})`,
                  ),
                ),
            ),
          ),
        ),
    ),
  ];
}

/** A line of the appendix. */
export function findingLine(finding: FindingRow): DocumentNode {
  const { first_seen: first, last_seen: last, rule_id: id, tags } = finding;
  return node(
    'tr',
    {},
    node('td', { class: 'tight' }, severityMark(finding)),
    node('td', { class: 'value' }, finding.rule_name, id !== null && node('span', { class: 'soft line' }, id)),
    node('td', { class: 'number' }, count(finding.count)),
    node(
      'td',
      { class: 'tight' },
      shownTime(first),
      last !== first && node('span', { class: 'line' }, shownTime(last)),
    ),
    node('td', { class: 'value' }, [...tacticsOf(tags).map(tacticName), ...techniquesOf(tags)].join(', ')),
    node('td', { class: 'value' }, finding.tool),
  );
}
