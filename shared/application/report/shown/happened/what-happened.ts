import type { FindingRow, MatchedEvent, ProcessTree, Sentence, WhatHappened } from '@svc/contracts';
import { severities, severityRank, tacticsOf, type Severity, type Tactic } from '@svc/domain';
import type { KeptCensus } from '../../derivation-repository.ts';
import { factsOf } from './event-facts.ts';
import { type HostMatches, worstHosts } from './hosts.ts';
import { logContents } from './log-contents.ts';
import { worstProcess } from './process-path.ts';
import {
  bySeverity,
  byTime,
  clock,
  counted,
  joined,
  link,
  listed,
  plain,
  quote,
  ruleOf,
  toFinding,
} from './sentence-parts.ts';
import { switchedOffBy, switchedOffKind } from './switched-off.ts';

/** What a report holds; null for what it has not, or does not show. */
export interface ReportFacts {
  readonly findings: readonly FindingRow[];
  readonly hosts: HostMatches | null;
  readonly accounts: {
    /** Most frequent first; `count` is matched events. */
    readonly frequent: readonly { readonly value: string; readonly count: number }[];
    /** How many there are, of which `frequent` may be the first. */
    readonly total: number;
    /** Not all matched events were looked at. */
    readonly isPart: boolean;
  } | null;
  readonly processes: ProcessTree['roots'] | null;
  /** What is in the log, matched or not. */
  readonly census: KeptCensus | null;
  /** Whether the site shows what events name. */
  readonly showsNames: boolean;
  /** Sample events of a finding, earliest first. */
  readonly eventsOf: (finding: number) => Promise<readonly MatchedEvent[]>;
}

type Part = Sentence['parts'][number];

const most = 8;
/** Sentences about tactics that are told before the one about processes. */
const tacticsFirst = 2;
/** Names in a list before the others are counted. */
const mostNames = 3;
/** From here on findings are told of, where there is one; lesser ones come with what is usual. */
const usualLeast: Severity = 'medium';
/** Tactics worth a sentence, of equally bad ones the first. */
const tacticOrder: readonly Tactic[] = [
  'impact',
  'credential_access',
  'lateral_movement',
  'persistence',
  'exfiltration',
  'command_and_control',
  'privilege_escalation',
  'collection',
  'defense_evasion',
  'discovery',
  'initial_access',
  'execution',
];

/**
 * What the findings come to: first how it began, then where, in which order, who, what was cleared or switched off, and
 * the worst tactics. Says of a rule that it matched, and that something was done only where an event says so itself.
 */
export async function whatHappened(facts: ReportFacts): Promise<WhatHappened> {
  const { findings } = facts;
  const hasUsual = findings.some(({ severity }) => severityRank(severity) <= severityRank(usualLeast));
  const least = hasUsual ? usualLeast : severities.at(-1)!;
  const told = findings.filter(({ severity }) => severityRank(severity) <= severityRank(least)).sort(worstFirst);
  const start = foothold(told);
  const off = told.filter((finding) => switchedOffKind(finding) !== null);
  const always = [
    start && (await footholdSentence(facts, start)),
    hostSentence(facts, told),
    chainSentence(told),
    accountSentence(facts),
    off.length > 0 ? await switchedOffSentence(facts, off) : null,
  ].filter((one) => one !== null);
  const tactics = await tacticSentences(facts, told, new Set([...off, ...(start ? [start.finding] : [])]));
  const process = processSentence(facts, told);
  const more = [...tactics.slice(0, tacticsFirst), ...(process ? [process] : []), ...tactics.slice(tacticsFirst)];
  return {
    sentences: [...always, ...more].slice(0, most),
    least,
    told: told.length,
    findings: findings.length,
    contents: facts.census && logContents(facts.census, facts),
  };
}

function worstFirst(a: FindingRow, b: FindingRow): number {
  return severityRank(a.severity) - severityRank(b.severity) || b.count - a.count || a.id - b.id;
}

/** Earliest first, those without a time last; of one time the worst first. */
function earliestFirst(a: FindingRow, b: FindingRow): number {
  if (a.first_seen === null || b.first_seen === null) {
    return Number(a.first_seen === null) - Number(b.first_seen === null) || worstFirst(a, b);
  }
  return byTime(a.first_seen, b.first_seen) || worstFirst(a, b);
}

const isOf =
  (...wanted: readonly Tactic[]) =>
  ({ tags }: FindingRow): boolean =>
    tacticsOf(tags).some((tactic) => wanted.includes(tactic));

interface Foothold {
  readonly finding: FindingRow;
  /** Whether the rule is of initial access or execution; else it is only the first that matched. */
  readonly isEntry: boolean;
}

/** The earliest finding of a tactic that means access or execution, else the earliest of all. */
function foothold(told: readonly FindingRow[]): Foothold | null {
  const inTime = told.toSorted(earliestFirst);
  const entry = inTime.find((one) => one.first_seen !== null && isOf('initial_access', 'execution')(one));
  const finding = entry ?? inTime[0];
  return finding === undefined ? null : { finding, isEntry: entry !== undefined };
}

/** The event that made a finding's first time; null where it is not kept. */
async function firstEvent({ eventsOf }: ReportFacts, finding: FindingRow): Promise<MatchedEvent | null> {
  if (!finding.has_details) return null;
  const events = await eventsOf(finding.id);
  return events.find(({ timestamp }) => timestamp === finding.first_seen) ?? null;
}

async function footholdSentence(facts: ReportFacts, { finding, isEntry }: Foothold): Promise<Sentence> {
  const tactics = tacticsOf(finding.tags).filter((one) => one === 'initial_access' || one === 'execution');
  const first = isEntry ? `First sign of ${tactics.map(words).join(' and ')}` : 'First match';
  return {
    about: 'foothold',
    parts: joined(first, ...(await matchParts(facts, finding)), '.'),
    findings: [finding.id],
  };
}

/** ` at … UTC on HOST, account …: the rule “…” (high) matched, command line …, started by …`. */
async function matchParts(facts: ReportFacts, finding: FindingRow): Promise<Part[]> {
  const event = await firstEvent(facts, finding);
  const { first_seen: at } = finding;
  const { what, account, parent } = event === null ? { what: null, account: null, parent: null } : factsOf(event);
  const to = toFinding(finding, at);
  return joined(
    ...(at === null ? [' at a time not known'] : [' at ', link(clock(at), to), ' UTC']),
    ...(event?.computer ? [' on ', hostPart(facts, event.computer, finding)] : []),
    ...(account === null ? [] : [', account ', accountPart(facts, account, finding)]),
    ': the rule ',
    ...ruleOf(finding),
    ' matched',
    ...(what === null ? [] : [`, ${what.name} `, quote(what.text, to)]),
    ...(parent === null ? [] : [', started by ', quote(parent, to)]),
  );
}

function hostPart({ hosts }: ReportFacts, host: string, finding: FindingRow): Part {
  return link(host, hosts?.hosts.has(host) ? { kind: 'host', host } : toFinding(finding, finding.first_seen));
}

function accountPart({ accounts }: ReportFacts, account: string, finding: FindingRow): Part {
  const isKnown = accounts?.frequent.some(({ value }) => value === account);
  return link(account, isKnown ? { kind: 'account', account } : toFinding(finding, finding.first_seen));
}

function hostSentence({ hosts: matches }: ReportFacts, told: readonly FindingRow[]): Sentence | null {
  if (matches === null) return null;
  const [worst, ...others] = worstHosts(matches, told);
  if (worst === undefined) return null;
  const name = link(worst.name, { kind: 'host', host: worst.name });
  const found = bySeverity(worst.findings);
  const part = matches.isPart ? ', as far as matches were looked at' : '';
  const next = others
    .slice(0, mostNames - 1)
    .map((host) => [link(host.name, { kind: 'host', host: host.name }), plain(` (${bySeverity(host.findings)})`)]);
  return {
    about: 'hosts',
    parts:
      others.length === 0
        ? joined('All matches that name a host are of ', name, `: ${found}${part}.`)
        : joined(
            `The worst of ${counted(others.length + 1, 'host')} is `,
            name,
            ` with ${found}${part}; next ${next.length === 1 ? 'is' : 'are'} `,
            ...listed(next),
            '.',
          ),
    findings: worst.findings.map(({ id }) => id),
  };
}

/** The tactics in the order in which each was first matched. */
function chainSentence(told: readonly FindingRow[]): Sentence | null {
  const firsts = new Map<Tactic, FindingRow>();
  for (const finding of told.filter((one) => one.first_seen !== null).sort(earliestFirst)) {
    for (const tactic of tacticsOf(finding.tags)) if (!firsts.has(tactic)) firsts.set(tactic, finding);
  }
  if (firsts.size < 2) return null;
  const steps = [...firsts].map(([tactic, finding]) => ({ tactic, finding, time: clock(finding.first_seen!) }));
  const days = new Set(steps.map(({ time }) => time.slice(0, 10)));
  const [day] = days;
  return {
    about: 'chain',
    parts: joined(
      days.size === 1 ? `Tactics by their first match on ${day} UTC: ` : 'Tactics by their first match (UTC): ',
      ...steps.flatMap(({ tactic, finding, time }, at) => [
        plain(at === 0 ? '' : ', '),
        link(words(tactic), toFinding(finding, finding.first_seen)),
        plain(` ${days.size === 1 ? time.slice(11) : time.slice(0, 16)}`),
      ]),
      '.',
    ),
    findings: [...new Set(steps.map(({ finding }) => finding.id))],
  };
}

function accountSentence({ accounts }: ReportFacts): Sentence | null {
  if (accounts === null || accounts.frequent.length === 0) return null;
  const { frequent, total, isPart } = accounts;
  const shown = frequent.slice(0, mostNames);
  const more = total - shown.length;
  const part = isPart ? ', as far as these were looked at,' : '';
  return {
    about: 'accounts',
    parts: joined(
      `Matched events${part} name ${counted(total, 'account')}: `,
      ...listed([
        ...shown.map(({ value, count }) => [
          link(value, { kind: 'account', account: value }),
          plain(` (${counted(count, 'event')})`),
        ]),
        ...(more > 0 ? [[plain(`${more} more`)]] : []),
      ]),
      '.',
    ),
    findings: [],
  };
}

async function switchedOffSentence(facts: ReportFacts, off: readonly FindingRow[]): Promise<Sentence> {
  // One of each kind says more than several of one.
  const kinds = off.map(switchedOffKind);
  const ofEach = off.filter((_, at) => kinds.indexOf(kinds[at]!) === at);
  const shown = [...ofEach, ...off.filter((finding) => !ofEach.includes(finding))].slice(0, mostNames);
  const items = await Promise.all(shown.map((finding) => switchedOffParts(facts, finding)));
  const more = off.length - shown.length;
  return {
    about: 'switched_off',
    parts: joined(
      'Cleared or switched off: ',
      ...items.flatMap((item, at) => [plain(at === 0 ? '' : '; '), ...item]),
      more > 0 ? `; and ${counted(more, 'more finding')} of this.` : '.',
    ),
    findings: off.map(({ id }) => id),
  };
}

async function switchedOffParts(facts: ReportFacts, finding: FindingRow): Promise<Part[]> {
  const event = await firstEvent(facts, finding);
  const said = event && switchedOffBy(event);
  const at = finding.first_seen;
  const time = at === null ? '' : ` at ${clock(at)}`;
  const host = event?.computer ? [plain(' on '), hostPart(facts, event.computer, finding)] : [];
  if (said) return joined(link(`${said}${time}`, toFinding(finding, at)), ...host);
  return joined(`a rule for ${switchedOffKind(finding)!}, `, ...ruleOf(finding), `, matched${time}`, ...host);
}

function processSentence({ processes }: ReportFacts, told: readonly FindingRow[]): Sentence | null {
  const found = processes && worstProcess(processes, told);
  if (!found) return null;
  const { path, worst, hitsBelow } = found;
  const shown = path.slice(-5);
  const [last] = path.slice(-1);
  const below = hitsBelow === 0 ? '' : `; rules matched ${counted(hitsBelow, 'process', 'processes')} below it`;
  return {
    about: 'processes',
    parts: joined(
      `Processes: ${shown.length < path.length ? '… → ' : ''}`,
      link(shown.map(({ image }) => image).join(' → '), { kind: 'process', process: last!.image }),
      ', where the rule ',
      ...ruleOf(worst),
      ` matched${below}.`,
    ),
    findings: [worst.id],
  };
}

/** Of the worst tactics first; not of those whose findings were all told of. */
async function tacticSentences(
  facts: ReportFacts,
  told: readonly FindingRow[],
  toldBefore: ReadonlySet<FindingRow>,
): Promise<Sentence[]> {
  const seen = new Set(toldBefore);
  const groups = tacticOrder
    .map((tactic) => ({ tactic, findings: told.filter(isOf(tactic)) }))
    .filter(({ findings }) => findings.length > 0)
    .sort((a, b) => severityRank(a.findings[0]!.severity) - severityRank(b.findings[0]!.severity));
  const sentences: Sentence[] = [];
  for (const { tactic, findings } of groups) {
    if (sentences.length === most) break;
    if (findings.every((finding) => seen.has(finding))) continue;
    for (const finding of findings) seen.add(finding);
    sentences.push(await tacticSentence(facts, tactic, findings));
  }
  return sentences;
}

async function tacticSentence(facts: ReportFacts, tactic: Tactic, findings: readonly FindingRow[]): Promise<Sentence> {
  const [worst] = findings as readonly [FindingRow];
  const matches = findings.reduce((sum, { count }) => sum + count, 0);
  const name = words(tactic);
  const total = findings.length === 1 ? '' : `${counted(findings.length, 'finding')} with `;
  return {
    about: 'tactic',
    parts: joined(
      link(`${name.charAt(0).toUpperCase()}${name.slice(1)}`, { kind: 'tactic', tactic }),
      `: ${total}${counted(matches, 'match', 'matches')}, ${findings.length === 1 ? 'first' : 'the worst first'}`,
      ...(await matchParts(facts, worst)),
      '.',
    ),
    findings: findings.map(({ id }) => id),
  };
}

function words(tactic: Tactic): string {
  return tactic.replaceAll('_', ' ');
}
