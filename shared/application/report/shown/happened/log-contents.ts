import type { Sentence } from '@svc/contracts';
import { duration } from '@svc/domain';
import type { CensusKind, CensusNames } from '@svc/engine';
import type { KeptCensus } from '../../derivation-repository.ts';
import { clock, counted, joined, listed, plain } from './sentence-parts.ts';

const [mostKinds, mostNames, mostGaps] = [5, 3, 3];

/**
 * What is in a log, whatever rules made of it: records by kind, when, on which hosts and by whom, what is missing, and
 * how many rules were for such records at all.
 * @param showsNames whether hosts and accounts are told.
 */
export function logContents(census: KeptCensus, { showsNames }: { readonly showsNames: boolean }): Sentence[] {
  const { hosts, accounts } = census;
  const names = showsNames
    ? [namesSentence('hosts', 'host', hosts), accounts && namesSentence('accounts', 'account', accounts)]
    : [];
  const texts: readonly (readonly [Sentence['about'], string] | null)[] =
    census.records === 0
      ? [['records', 'No record was read.'], null]
      : [['records', kindsText(census)], timeText(census), ...names, gapsText(census)];
  return [...texts, rulesText(census)].flatMap((one) =>
    one === null ? [] : [{ about: one[0], parts: joined(one[1]), findings: [] }],
  );
}

function kindsText({ records, kinds, kindsTotal }: KeptCensus): string {
  const shown = kinds.slice(0, mostKinds);
  const more = kindsTotal - shown.length;
  if (kindsTotal === 1 && shown[0]!.count === records)
    return `${counted(records, 'record')}, all of ${kindName(shown[0]!)}.`;
  const items = shown.map((kind) => `${kindName(kind)} (${counted(kind.count, 'record')})`);
  return `${counted(records, 'record')} of ${counted(kindsTotal, 'kind')}: ${list([...items, ...(more > 0 ? [counted(more, 'more kind')] : [])])}.`;
}

/** `Security 4624 (Microsoft-Windows-Security-Auditing)`, `linux: auditd USER_LOGIN`. */
function kindName({ source, channel, provider, event }: CensusKind): string {
  if (channel === null && provider === null) return [source ?? 'no known log source', event].filter(Boolean).join(' ');
  const name = [channel ?? provider, event].filter(Boolean).join(' ');
  return provider === null || channel === null || provider === channel ? name : `${name} (${provider})`;
}

function timeText({ first, last, undated, records }: KeptCensus): readonly [Sentence['about'], string] {
  const without = undated === 0 ? '' : `; ${counted(undated, 'record')} ${undated === 1 ? 'has' : 'have'} no time`;
  const text =
    first === null || last === null
      ? records === 1
        ? 'The record has no time.'
        : 'No record has a time.'
      : clock(first) === clock(last)
        ? `Of ${clock(first)} UTC${without}.`
        : `From ${clock(first)} to ${clock(last)} UTC${without}.`;
  return ['time', text];
}

function namesSentence(
  about: 'hosts' | 'accounts',
  one: string,
  { frequent, total, isPart }: CensusNames,
): readonly [Sentence['about'], string] {
  if (total === 0) return [about, `No record names ${one === 'account' ? 'an account' : `a ${one}`}.`];
  const shown = frequent.slice(0, mostNames);
  const more = total - shown.length;
  const items = shown.map(({ value, count }) => `${value} (${counted(count, 'record')})`);
  const named = list([...items, ...(more > 0 ? [`${isPart ? 'at least ' : ''}${counted(more, 'other')}`] : [])]);
  return [about, `Records name ${isPart ? 'at least ' : ''}${counted(total, one)}: ${named}.`];
}

function gapsText({ gaps }: KeptCensus): readonly [Sentence['about'], string] | null {
  if (gaps === null) return null;
  const { usualMs, leastMs, longest, total } = gaps;
  const rhythm = `19 of 20 records follow the one before within ${duration(usualMs)}`;
  if (total === 0) return ['gaps', `No stretch of ${duration(leastMs)} or more is without a record; ${rhythm}.`];
  const shown = longest.slice(0, mostGaps);
  const more = total - shown.length;
  const items = shown.map(({ from, to }) => {
    return `${clock(from)} to ${clock(to)} UTC (${duration(Date.parse(to) - Date.parse(from))})`;
  });
  const all = list([...items, ...(more > 0 ? [counted(more, 'shorter one')] : [])]);
  const none = total === 1 ? 'is without a record' : 'are without a record';
  return [
    'gaps',
    `${counted(total, 'stretch', 'stretches')} of ${duration(leastMs)} or more ${none}: ${all}; ${rhythm}.`,
  ];
}

function rulesText({ rules, records }: KeptCensus): readonly [Sentence['about'], string] | null {
  if (rules === null) return null;
  return ['rules_for', rulesFor(rules, records)];
}

function rulesFor({ total, reading }: NonNullable<KeptCensus['rules']>, records: number): string {
  if (total === 0) return 'No rule ran.';
  const these = records === 0 ? 'records that were read' : 'records of these kinds';
  if (reading === 0)
    return `None of the ${counted(total, 'rule')} that ran is for ${these}, so nothing was looked for.`;
  return `Of ${counted(total, 'rule')} that ran, ${counted(reading, 'is', 'are')} for ${these}.`;
}

function list(items: readonly string[]): string {
  return listed(items.map((item) => [plain(item)]))
    .map(({ text }) => text)
    .join('');
}
