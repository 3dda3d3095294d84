import type { Comparison, DatePart } from './expression.ts';
import { RuleError } from './problem.ts';

export type Placement = 'contains' | 'startswith' | 'endswith';
export type Encoding = 'base64' | 'base64offset';
export type Wide = 'wide' | 'utf16le' | 'utf16be' | 'utf16';

const placements: readonly Placement[] = ['contains', 'startswith', 'endswith'];
const encodings: readonly Encoding[] = ['base64', 'base64offset'];
const wides: readonly Wide[] = ['wide', 'utf16le', 'utf16be', 'utf16'];
const comparisons: readonly Comparison[] = ['lt', 'lte', 'gt', 'gte'];
const dateParts: readonly DatePart[] = ['minute', 'hour', 'day', 'week', 'month', 'year'];
const switches = ['all', 'neq', 'cased', 'windash', 'expand', 're', 'cidr', 'exists', 'fieldref'] as const;
const flags = new Map(Object.entries({ i: 'i', ignorecase: 'i', m: 'm', multiline: 'm', s: 's', dotall: 's' }));

/** What the modifiers of one item say together (detection-engine 1.4). */
export interface Chain {
  readonly on: ReadonlySet<(typeof switches)[number]>;
  readonly placement: Placement | undefined;
  readonly encoding: Encoding | undefined;
  readonly wide: Wide | undefined;
  readonly comparison: Comparison | undefined;
  readonly datePart: DatePart | undefined;
  /** Of a regular expression: some of `ims`. */
  readonly regexFlags: string;
  /** The item as the rule writes it, for messages. */
  readonly key: string;
}

/** Which other modifiers may stand beside one; all not named here may stand beside any that allow it. */
const companions: Readonly<Record<string, readonly string[]>> = {
  re: [...placements, ...flags.keys()],
  cidr: [],
  exists: [],
  fieldref: [...placements, 'cased'],
  ...Object.fromEntries(comparisons.map((name) => [name, dateParts])),
  ...Object.fromEntries(dateParts.map((name) => [name, comparisons])),
};

/** Order in which text is changed; of two that stand in the other order one would see the other's result. */
const textOrder: readonly (readonly string[])[] = [['expand'], ['windash'], wides, encodings, placements];

/** Reads the modifiers of an item; throws on any that is unknown or cannot stand where it stands. */
export function parseChain(key: string, names: readonly string[]): Chain {
  const refuse = (reason: string): never => {
    throw new RuleError(`“${key}”: ${reason}`);
  };
  for (const [at, name] of names.entries()) {
    if (!modifiers.has(name)) refuse(`unknown modifier ${name}`);
    if (names.indexOf(name) !== at) refuse(`modifier ${name} is given twice`);
  }
  const one = <T extends string>(group: readonly T[]): T | undefined => {
    const [first, second] = group.filter((name) => names.includes(name));
    if (second !== undefined) refuse(`${first} cannot be combined with ${second}`);
    return first;
  };
  const chain: Chain = {
    on: new Set(switches.filter((name) => names.includes(name))),
    placement: one(placements),
    encoding: one(encodings),
    wide: one(wides),
    comparison: one(comparisons),
    datePart: one(dateParts),
    regexFlags: [...new Set(names.flatMap((name) => flags.get(name) ?? []))].join(''),
    key,
  };
  checkCompanions(names, refuse);
  if (chain.encoding !== undefined || chain.wide !== undefined) checkOrder(names, refuse);
  return chain;
}

/** All modifiers, and all names of them. */
export const modifiers: ReadonlySet<string> = new Set([
  ...placements,
  ...encodings,
  ...wides,
  ...comparisons,
  ...dateParts,
  ...switches,
  ...flags.keys(),
]);

function checkCompanions(names: readonly string[], refuse: (reason: string) => never): void {
  const tests = names.filter((name) => name !== 'all' && name !== 'neq');
  for (const name of tests) {
    const extra = tests.find((other) => other !== name && !(companions[name]?.includes(other) ?? true));
    if (extra !== undefined) refuse(`${extra} cannot be combined with ${name}`);
    if (flags.has(name) && !names.slice(0, names.indexOf(name)).includes('re')) refuse(`${name} must follow re`);
  }
  if (names.includes('exists') && names.length > 1) refuse('exists takes no other modifier');
}

function checkOrder(names: readonly string[], refuse: (reason: string) => never): void {
  const stages = names.map((name) => textOrder.findIndex((stage) => stage.includes(name)));
  const staged = names.filter((_, at) => stages[at]! >= 0);
  const ranks = stages.filter((stage) => stage >= 0);
  const wrong = ranks.findIndex((rank, at) => at > 0 && rank < ranks[at - 1]!);
  if (wrong > 0) refuse(`${staged[wrong]} must stand before ${staged[wrong - 1]}`);
}

/** The chain of an item without modifiers. */
export const noModifiers: Chain = parseChain('', []);
