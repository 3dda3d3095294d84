/** What is known of how an engine reads rules or records otherwise than Sigma says, in the words that people are told. */
export interface EngineDifference {
  /** Code stands between backticks. */
  readonly name: string;
  /** Why the built-in engine does it as it does. */
  readonly why: string;
}

const allSigma = 'All of it is Sigma, so the rule is in force.';

/**
 * The differences that `npm run differential` has found (docs/engine-differences.md). It and the agreement view of a
 * report tell of them in these words; what each program does is worked out there record by record, here from the rule.
 */
export const engineDifferences = {
  absentUnknown: {
    name: 'a test of an absent field is neither true nor false',
    why: 'Sigma has two truth values: a filter over a field that the record lacks does not hold, so its negation does.',
  },
  anotherVersion: {
    name: 'its copy is of another version of the rule',
    why: 'The rule was changed after the copy was made; the newer text is in force here.',
  },
  backslashesAsTwo: {
    name: 'escaped backslashes taken as two',
    why: 'In a Sigma string `\\\\` is one backslash.',
  },
  backslashesByWildcards: {
    name: 'escaped backslashes beside wildcards taken as two',
    why: 'In a Sigma string `\\\\` is one backslash wherever it stands.',
  },
  blanksDropped: {
    name: 'blanks at the ends of values dropped',
    why: 'A value is matched as it stands in the record; `NtLmSsp ` is not `NtLmSsp`, and ` /s ` needs its blank.',
  },
  booleansNoText: {
    name: 'booleans of the event are no text',
    why: "`Initiated: 'true'` asks for what the event shows, whether the log has it as a text or as a boolean.",
  },
  channelOfLog: {
    name: '`Channel` always that of the log',
    why: 'The data of 104 names the log that was cleared, which is what these rules ask.',
  },
  cidrNotLoaded: { name: 'not loaded: unsupported modifiers - cidr', why: allSigma },
  columnMissing: {
    name: 'a column that the table lacks',
    why: 'SQL fails for the whole rule when the table lacks a column; in Sigma only the tests of that field do not hold.',
  },
  driveLetter: {
    name: '5156 given a drive letter',
    why: 'The event names the device, not the drive, and rules see what the event has.',
  },
  excludedByList: {
    name: 'excluded by its own list',
    why: 'Hayabusa leaves the rule out because a rule of its own covers it, or as too noisy; Sigma knows no such list.',
  },
  excludedByMapping: { name: 'excluded by its mapping file', why: 'Sigma knows no such list.' },
  fieldrefNotLoaded: { name: 'not loaded: unsupported modifiers - fieldref', why: allSigma },
  fieldrefNotRenamed: {
    name: '`fieldref` not renamed for 4688',
    why: 'The field referred to is mapped like any other field of the rule.',
  },
  fieldsNotMapped: { name: 'fields missing in its mapping file', why: 'Every field of the event can be asked for.' },
  firstRuleOnly: {
    name: 'only the first rule of an event is told',
    why: 'Every rule that matches an event is a finding, whichever matched before it.',
  },
  integrityLevel: {
    name: '`IntegrityLevel` of 4688 not mapped',
    why: 'The event has the level, as `MandatoryLabel`.',
  },
  keywordsNotLoaded: { name: 'not loaded: keyless identifiers cannot be converted', why: allSigma },
  networkNotMapped: {
    name: '5156 and 4657 not mapped',
    why: 'The categories of network connections and the registry mean these events too.',
  },
  noCopy: {
    name: 'not among its converted rules',
    why: 'The rule is in the SigmaHQ folder; the copy of its converter lacks it.',
  },
  notConverted: {
    name: 'not converted',
    why: 'The converter of the rules to SQL gives up on them; what they use is part of Sigma.',
  },
  notInPacks: {
    name: 'not among the rules of the packs',
    why: 'The built-in engine runs the rules of the packs that are enabled, and this is none of them.',
  },
  ownRule: {
    name: 'a rule of its own',
    why: 'The rule comes with that program and is none of Sigma; the others were not given it.',
  },
  processFieldsNotMapped: {
    name: 'fields of 4688 not mapped',
    why: 'A rule for process creation means `NewProcessName` by `Image`, and so on.',
  },
  questionMarks: {
    name: '`?` beside a modifier taken literally',
    why: 'Wildcards mean the same in every Sigma string.',
  },
  serviceAsProvider: {
    name: 'a service taken for its provider',
    why: 'A service is a channel; the Security channel also has events of Microsoft-Windows-Eventlog.',
  },
  userDataNotSeen: {
    name: 'fields of UserData not seen',
    why: 'Sigma knows fields of the event; where in the event they stand makes no difference.',
  },
  windashNotLoaded: { name: 'not loaded: unsupported modifiers - windash', why: allSigma },
  windashOneWay: {
    name: '`windash` turns one way only',
    why: 'Any of the five dashes stands for any other: ` /accepteula` also finds ` -accepteula`.',
  },
} as const satisfies Record<string, EngineDifference>;
export type EngineDifferenceKey = keyof typeof engineDifferences;
