import type { SourceFacts } from '../events/route.ts';
import type { Expression } from '../sigma/expression.ts';
import { inputSources } from '../sigma/input-sources.ts';
import type { LogSource } from '../sigma/log-source.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import type { SourceRow } from '../sigma/source-row.ts';
import { rowsFor, rowsOf } from '../sigma/source-rows.ts';
import { type CensusKind, sourceOf } from './census.ts';

/** Records of one kind, as they are counted in logs. */
export type LoggedKind = Omit<CensusKind, 'count'>;

/** What a rule must be given to match at all. */
export interface RuleNeed {
  readonly logSource: LogSource;
  /** Channels and event ids, in lower case, of which it asks for one; null where it asks for none by name. */
  readonly channels: readonly string[] | null;
  readonly events: readonly string[] | null;
}

/** Of each rule, and behind them of each correlation: it needs what one of its rules needs. */
export function needsOfRules({ rules, correlations }: RuleSet): readonly (readonly RuleNeed[])[] {
  const ofRules = rules.map(({ logSource, expression }): readonly RuleNeed[] => {
    return [{ logSource, channels: wanted(expression, 'channel'), events: wanted(expression, 'eventid') }];
  });
  const ofCorrelations: (readonly RuleNeed[])[] = [];
  for (const { inputs } of correlations) {
    ofCorrelations.push(
      inputs.flatMap(({ kind, place }) => (kind === 'rule' ? ofRules[place] : ofCorrelations[place]) ?? []),
    );
  }
  return [...ofRules, ...ofCorrelations];
}

/** The plain values of a field of which one must be there for an expression to hold; null where others may do. */
function wanted(expression: Expression, field: string): readonly string[] | null {
  switch (expression.kind) {
    case 'test': {
      const { test } = expression;
      if (expression.field?.toLowerCase() !== field) return null;
      if (test.kind === 'integer') return [test.text];
      const [only, ...rest] = test.kind === 'pattern' ? test.pieces : [];
      return typeof only === 'string' && rest.length === 0 ? [only.toLowerCase()] : null;
    }
    case 'all':
      return expression.of.reduce<readonly string[] | null>((found, part) => found ?? wanted(part, field), null);
    case 'any': {
      const each = expression.of.map((part) => wanted(part, field));
      return each.includes(null) ? null : [...new Set(each.flatMap((values) => values ?? []))];
    }
    default:
      return null;
  }
}

/** Kinds of records by what rules can be held against them; asked of many rules. */
export class LoggedKinds {
  readonly #groups: readonly { readonly rows: readonly SourceRow[]; readonly kinds: readonly LoggedKind[] }[];
  readonly #seen = new Map<string, readonly LoggedKind[]>();

  constructor(kinds: readonly LoggedKind[]) {
    const groups = new Map<string, { rows: readonly SourceRow[]; kinds: LoggedKind[] }>();
    for (const kind of kinds) {
      const rows = rowsOfKind(kind);
      const key = JSON.stringify(rows.map(({ facts }) => facts));
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { rows, kinds: [kind] });
      else group.kinds.push(kind);
    }
    this.#groups = [...groups.values()];
  }

  /** Those of the rule's log source and channel, whatever event it asks for. */
  seenBy({ logSource, channels }: RuleNeed): readonly LoggedKind[] {
    const key = JSON.stringify([logSource, channels]);
    let seen = this.#seen.get(key);
    if (seen === undefined) {
      seen = this.#groups
        .filter(({ rows }) => rowsFor(logSource, rows).length > 0)
        .flatMap(({ kinds }) => kinds)
        .filter(({ channel }) => channel === null || (channels?.includes(channel.toLowerCase()) ?? true));
      this.#seen.set(key, seen);
    }
    return seen;
  }
}

/** What audit records say together, by the type of record that each of them has. */
const auditCategories: Readonly<Record<string, string>> = {
  EXECVE: 'process_creation',
  PATH: 'file_event',
  SOCKADDR: 'network_connection',
};

const factsBySource = new Map<string, readonly SourceFacts[]>(
  Object.values<readonly SourceFacts[]>(inputSources).map((facts) => [sourceOf({ facts }) ?? '', facts]),
);

/** A kind keeps of its facts what says most: the others are found again by it. */
function rowsOfKind({ source, channel, provider, event }: LoggedKind): readonly SourceRow[] {
  if (channel !== null || provider !== null) {
    const names = { channel: channel ?? '', provider: provider ?? '', eventId: event ?? '' };
    return rowsOf({ ...names, product: 'windows', facts: [] });
  }
  if (source === null) return [];
  const facts = factsBySource.get(source) ?? writtenFacts(source);
  const category = auditCategories[event ?? ''];
  const combined = category === undefined ? [] : [{ product: 'linux', category, service: 'auditd' }];
  return [...facts, ...(source === 'linux: auditd' ? combined : [])].map((one) => ({ facts: one }));
}

/** Of `linux, jvm: syslog, application`: whether the latter are services or categories, they do not tell. */
function writtenFacts(source: string): SourceFacts[] {
  const [products = '', others = ''] = source.split(': ');
  return products.split(', ').flatMap((product) => [
    { product },
    ...others.split(', ').flatMap((other) =>
      other === ''
        ? []
        : [
            { product, service: other },
            { product, category: other },
          ],
    ),
  ]);
}
