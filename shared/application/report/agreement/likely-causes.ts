import type { EngineDifferenceKey } from '@svc/domain';
import type { RuleTraits } from '@svc/engine';
import type { StoredEvent } from '../new-finding.ts';

/** Why an engine has not found what another has. */
export interface LikelyCause {
  /** The engine whose way of reading it is. */
  readonly engine: string;
  readonly difference: EngineDifferenceKey;
  /** It is so whatever the log is; else it only may be. */
  readonly certain: boolean;
}

/** What is known of a rule that some engines found and others did not. */
export interface FoundRule {
  /** Engines that found it. */
  readonly by: readonly string[];
  /** Null where no engine gave an id. */
  readonly ruleId: string | null;
  /** Null where its text is not known. */
  readonly traits: RuleTraits | null;
  /** Matched events that were kept, of whichever engine. */
  readonly events: readonly StoredEvent[];
}

interface Seen extends Pick<FoundRule, 'events'> {
  readonly traits: RuleTraits;
}

/** Whether a difference is one here; null for no. */
type Check = (seen: Seen) => 'is' | 'may be' | null;
type Checks = readonly (readonly [EngineDifferenceKey, Check])[];

const is = (test: (seen: Seen) => boolean): Check => {
  return (seen) => (test(seen) ? 'is' : null);
};
const mayBe = (test: (seen: Seen) => boolean): Check => {
  return (seen) => (test(seen) ? 'may be' : null);
};

const uses = (modifier: string) => (seen: Seen) => seen.traits.modifiers.has(modifier);
const asks = (field: string) => (seen: Seen) => seen.traits.fields.has(field);

/** Whether all kept events have one of these ids. */
const onlyEvents =
  (...ids: readonly string[]) =>
  ({ events }: Seen) =>
    events.length > 0 && events.every(({ eventId }) => eventId !== null && ids.includes(eventId));
const only4688 = onlyEvents('4688');
/** Certain where all kept events have one of these ids, and possible where some have. */
const ofEvents =
  (test: (seen: Seen) => boolean, ...ids: readonly string[]): Check =>
  (seen) => {
    if (!test(seen)) return null;
    if (onlyEvents(...ids)(seen)) return 'is';
    return seen.events.some(({ eventId }) => eventId !== null && ids.includes(eventId)) ? 'may be' : null;
  };

function isProcessRule({ traits }: Seen): boolean {
  return traits.logSource.category === 'process_creation';
}

/** What Sigma's process creation calls otherwise than 4688 (detection-engine 1.2.3). */
const renamedIn4688 = ['Image', 'ParentImage', 'ProcessId', 'ParentProcessId', 'User', 'LogonId', 'IntegrityLevel'];

/** A rule for process creation that cannot hold without such a field, or only asks for one beside others. */
function processFields(asked: 'neededFields' | 'fields'): Check {
  return ofEvents(
    (seen) => isProcessRule(seen) && renamedIn4688.some((field) => seen.traits[asked].has(field)),
    '4688',
  );
}

/** Fields that none of the kept events has. */
function absent(fields: Iterable<string>, { events }: Seen): string[] {
  if (events.length === 0) return [];
  const known = new Set(events.flatMap(({ fields: all }) => Object.keys(all).map((name) => name.toLowerCase())));
  return [...fields].filter((field) => !known.has(field.toLowerCase()));
}

const otherProvider: Check = mayBe(
  ({ traits, events }) =>
    traits.logSource.service === 'security' &&
    events.length > 0 &&
    events.every(({ fields }) => {
      const provider = fields['Provider_Name'];
      return typeof provider === 'string' && provider !== 'Microsoft-Windows-Security-Auditing';
    }),
);

/** Rules of the Security log itself ask for its own fields. */
const networkNotMapped = [
  'networkNotMapped',
  ofEvents(({ traits }) => traits.logSource.category !== undefined, '5156', '4657'),
] as const;
const channelOfLog = ['channelOfLog', mayBe(asks('Channel'))] as const;
const booleansNoText = ['booleansNoText', mayBe(({ traits }) => traits.hasBoolean)] as const;

/** A blank may stand in the rule, or in what the event has where the rule asks. */
const blanksDropped = [
  'blanksDropped',
  mayBe(({ traits, events }) => {
    if (traits.hasOuterBlank) return true;
    const texts = events.flatMap(({ fields }) => [...traits.fields].map((field) => fields[field]));
    return texts.some((text) => typeof text === 'string' && text !== text.trim());
  }),
] as const;

/** Whether a rule asks for more than every event has. */
const asksForData = ({ traits }: Seen): boolean =>
  [...traits.fields].some((field) => !/^(?:EventI[Dd]|Channel|Computer|Provider_Name|Level)$/.test(field));

/** Why each engine may lack what others have (docs/engine-differences.md), what is likeliest first. */
const lacking: Readonly<Record<string, Checks>> = {
  'evtx-hunt': [
    ['windashNotLoaded', is(uses('windash'))],
    ['fieldrefNotLoaded', is(uses('fieldref'))],
    ['cidrNotLoaded', is(uses('cidr'))],
    ['keywordsNotLoaded', is(({ traits }) => traits.hasKeywords)],
    [
      'processFieldsNotMapped',
      (seen) => processFields('neededFields')(seen) ?? (processFields('fields')(seen) && 'may be'),
    ],
    networkNotMapped,
    ['serviceAsProvider', otherProvider],
    ['absentUnknown', mayBe((seen) => absent(seen.traits.negatedFields, seen).length > 0)],
    ['fieldsNotMapped', mayBe(asks('Data'))],
    channelOfLog,
    booleansNoText,
    ['questionMarks', mayBe(({ traits }) => traits.hasQuestionMark)],
    ['backslashesAsTwo', mayBe(({ traits }) => traits.hasEscapedBackslash)],
  ],
  'evtx-timeline': [
    ['fieldrefNotRenamed', is((seen) => uses('fieldref')(seen) && only4688(seen))],
    [
      'userDataNotSeen',
      mayBe((seen) => asksForData(seen) && seen.events.some(({ fields }) => 'UserData_Root' in fields)),
    ],
    ['windashOneWay', mayBe(uses('windash'))],
    ['driveLetter', mayBe((seen) => onlyEvents('5156')(seen) && seen.traits.hasDrive)],
    blanksDropped,
    ['backslashesByWildcards', mayBe(({ traits }) => traits.hasEscapedBackslashByWildcard)],
  ],
  'sigma-multi': [
    networkNotMapped,
    ['integrityLevel', is((seen) => asks('IntegrityLevel')(seen) && only4688(seen))],
    ['notConverted', mayBe(({ traits }) => traits.hasKeywords)],
    ['columnMissing', mayBe((seen) => absent(seen.traits.fields, seen).length > 0 || asks('Data')(seen))],
    ['processFieldsNotMapped', mayBe((seen) => only4688(seen) && isProcessRule(seen))],
    channelOfLog,
    booleansNoText,
  ],
  'sigma-text': [['firstRuleOnly', mayBe(() => true)]],
};

/** Why an engine may have what others lack. */
const having: Readonly<Record<string, Checks>> = {
  'evtx-hunt': [channelOfLog],
  'evtx-timeline': [blanksDropped],
  'sigma-multi': [channelOfLog],
};

/** Of rules that an engine does not hold against any record: none of those that it found, if not as often. */
const wholeRules = new Set<EngineDifferenceKey>([
  'windashNotLoaded',
  'fieldrefNotLoaded',
  'cidrNotLoaded',
  'keywordsNotLoaded',
  'notConverted',
]);

/** Lists of rules that engines leave out, which nothing in a rule tells: guessed where nothing else is known. */
const exclusions: Readonly<Record<string, EngineDifferenceKey>> = {
  'evtx-hunt': 'excludedByMapping',
  'evtx-timeline': 'excludedByList',
};

/** More guesses than these help nobody. */
const mostCauses = 3;

/** Why `engine` has not found a rule, or not as often as another: what is certain, else what may be; none is known where it is empty. */
export function likelyCauses(engine: string, builtIn: string, rule: FoundRule): readonly LikelyCause[] {
  const foundSome = rule.by.includes(engine);
  const own = foundSome ? null : notGiven(engine, builtIn, rule);
  if (own?.certain === true) return [own];
  const { traits, events } = rule;
  const seen = traits && { traits, events };
  const others = rule.by.filter((one) => one !== engine);
  const found = [
    ...causesOf(engine, lacking, seen).filter(({ difference }) => !foundSome || !wholeRules.has(difference)),
    ...others.flatMap((one) => causesOf(one, having, seen)),
  ];
  const certain = found.filter((cause) => cause.certain);
  if (certain.length > 0) return certain;
  const guesses = [...found, ...(own === null ? [] : [own])];
  const list = exclusions[engine];
  if (guesses.length === 0 && seen !== null && !foundSome && list !== undefined) {
    return [{ engine, difference: list, certain: false }];
  }
  return guesses.slice(0, mostCauses);
}

/** Of a rule whose text is not known nothing can be told. */
function causesOf(engine: string, table: typeof lacking, seen: Seen | null): LikelyCause[] {
  if (seen === null) return [];
  return (table[engine] ?? []).flatMap(([difference, check]) => {
    const answer = check(seen);
    return answer === null ? [] : [{ engine, difference, certain: answer === 'is' }];
  });
}

/** A rule that an engine was not given: one of the only engine that found it, or of none of the packs. */
function notGiven(engine: string, builtIn: string, { by, ruleId, traits }: FoundRule): LikelyCause | null {
  const [only] = by;
  if (by.length === 1 && only !== undefined && only !== builtIn) {
    // Chainsaw's own rules have no id; Hayabusa's name no rule that they are derived from.
    if (only === 'evtx-hunt' && ruleId === null) return { engine: only, difference: 'ownRule', certain: true };
    if (only === 'evtx-timeline' && (traits?.derivedFrom ?? null) === null) {
      return { engine: only, difference: 'ownRule', certain: traits !== null };
    }
  }
  return engine === builtIn ? { engine, difference: 'notInPacks', certain: false } : null;
}
