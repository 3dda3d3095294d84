import type { CurrentEvent } from '../events/current-event.ts';
import type { FieldTable } from '../events/field-table.ts';
import type { OutputRecord, RecordPlace } from '../events/log-event.ts';
import type { Sample } from '../findings.ts';
import type { RuleSet } from '../sigma/rule-set.ts';
import { type NamedThings, SharedThings } from './linked.ts';
import type { Reference } from './measures.ts';
import { RuleView } from './rule-view.ts';

/** Matches that are gathered before they are given away, and samples that one collector makes of them. */
const mostGathered = 8192;
const mostSamples = 20_000;
/**
 * Of records that cannot be read again alone, where the log can, so many samples are made; more only where correlations
 * look at less than one in so many records, as reading all again, values left alone, takes longer than making those.
 */
const [fewSamples, recordsPerLook] = [500, 8];

/** Between the values of a group; no text of a log has it after it went through {@link keyOf}. */
const separator = '\u0000';

/** A match that a correlation refers to; plain data, so that threads can hand it over. */
export interface CorrelatedMatch extends Reference {
  /** Place of the correlation in its set. */
  readonly correlation: number;
  /** Group: the folded values of the group-by fields, joined. */
  readonly key: string;
  readonly timestamp: string;
  readonly computer: string | null;
  /** The matched event as a sample; null where it is read again if it is shown, as most never are or there was no room. */
  readonly sample: Sample | null;
  /** Where that is then read; null where it takes all before it. */
  readonly place: RecordPlace | null;
  /** What the event names; null where nobody wants to know. */
  readonly named: NamedThings | null;
  /** What the firing of another correlation adds to the sample; null for the match of a rule. */
  readonly added: OutputRecord | null;
  /** Whether the event is in the finding of a rule too. */
  readonly isReported: boolean;
}

/** A match of an event of which not all is known. */
interface Gathered extends CorrelatedMatch {
  isReported: boolean;
}

/** Takes matches, in the order of the input. */
export type MatchSink = (matches: readonly CorrelatedMatch[]) => void;

/** An input of a correlation that a rule is, and what of the rule's matches it looks at. */
interface Use {
  readonly correlation: number;
  readonly input: number;
  readonly groupBy: RuleView;
  readonly fields: RuleView | null;
}

/** Gathers the matches that correlations refer to and gives them away, some thousand at a time. */
export class MatchCollector {
  /** Matches without a time or a group-by field. */
  ungrouped = 0;
  /** Whether the log is a file that can be read at any place, so that samples may be left to be read again. */
  rereads = false;
  readonly #usesOfRule = new Map<number, Use[]>();
  readonly #give: MatchSink;
  readonly #showsFew: boolean;
  readonly #named: (() => readonly number[]) | undefined;
  #things: SharedThings | undefined;
  #matches: Gathered[] = [];
  #samples = 0;
  #records = 0;
  /** Those that correlations look at. */
  #looks = 0;
  /** Of the event of the moment, once for all that it feeds; undefined until the first asks. Not a number where it tells no time. */
  #time: number | undefined;
  #sample: Sample | null | undefined;
  #place: RecordPlace | null = null;
  /** Matches of events that are over. */
  #ended = 0;

  /**
   * @param showsFew whether most events that correlations look at are not shown.
   * @param named numbers of what the event of the moment names.
   */
  constructor(
    { rules, correlations }: RuleSet,
    fields: FieldTable,
    give: MatchSink,
    showsFew: boolean,
    named?: () => readonly number[],
  ) {
    this.#give = give;
    this.#showsFew = showsFew;
    this.#named = named;
    for (const [correlation, { inputs }] of correlations.entries()) {
      for (const [input, { kind, place, groupBy, fields: counted }] of inputs.entries()) {
        if (kind !== 'rule') continue;
        const { logSource } = rules[place]!;
        const view = (names: readonly string[]): RuleView => new RuleView(logSource, names, fields);
        const use = { correlation, input, groupBy: view(groupBy), fields: counted.length > 0 ? view(counted) : null };
        this.#usesOfRule.set(place, [...(this.#usesOfRule.get(place) ?? []), use]);
      }
    }
  }

  /** The run whose numbers those are, which is known when its first part begins. */
  begin(run: number): void {
    this.#things ??= new SharedThings(run);
  }

  /**
   * A rule holds for an event.
   * @param order place of the record in the input; not less than any before.
   */
  add(rule: number, current: CurrentEvent, order: number): void {
    const uses = this.#usesOfRule.get(rule);
    if (uses !== undefined) for (const use of uses) this.#feed(use, current, order);
  }

  /**
   * All rules that hold for the event were told.
   * @param isReported whether one of them gives findings.
   */
  endEvent(isReported: boolean): void {
    this.#records++;
    this.#time = undefined;
    this.#sample = undefined;
    for (; this.#ended < this.#matches.length; this.#ended++) this.#matches[this.#ended]!.isReported = isReported;
    if (this.#ended >= mostGathered) this.flush();
  }

  /** Gives away what is left. */
  flush(): void {
    const matches = this.#matches;
    this.#matches = [];
    this.#ended = 0;
    if (matches.length > 0) this.#give(matches);
  }

  #feed({ correlation, input, groupBy, fields }: Use, current: CurrentEvent, order: number): void {
    const { event } = current;
    const group = groupBy.texts(event);
    const { timestamp, computer } = current.head;
    const time = (this.#time ??= timestamp === null ? Number.NaN : Date.parse(timestamp));
    if (group === null || timestamp === null || Number.isNaN(time)) {
      this.ungrouped++;
      return;
    }
    const values = fields?.texts(event);
    // What has no value is not counted among values.
    if (values === null) return;
    if (this.#sample === undefined) this.#show(current);
    this.#matches.push({
      correlation,
      key: keyOf(group),
      time,
      order,
      input,
      value: values === undefined ? null : keyOf(values),
      timestamp,
      computer,
      sample: this.#sample!,
      place: this.#place,
      named: this.#named === undefined ? null : (this.#things?.of(this.#named()) ?? null),
      added: null,
      isReported: false,
    });
  }

  /** Keeps what the event is shown by, or where that is read again. */
  #show(current: CurrentEvent): void {
    this.#looks++;
    const { offset, range } = current.event;
    this.#place = range === undefined ? null : { offset, range };
    const isKept = this.#hasRoom(range !== undefined);
    this.#sample = isKept ? { ...current.head, fields: current.record } : null;
    if (isKept) this.#samples++;
  }

  /** @param isAlone whether the record can be read again without those before it. */
  #hasRoom(isAlone: boolean): boolean {
    if (this.#samples >= mostSamples) return false;
    if (!this.rereads) return true;
    if (isAlone) return !this.#showsFew;
    return this.#samples < fewSamples || this.#looks * recordsPerLook < this.#records;
  }
}

/** Several texts as one, by which they are compared; a single one is itself. */
export function keyOf(texts: readonly string[]): string {
  return texts.map((text) => (text.includes(separator) ? text.replaceAll(separator, '') : text)).join(separator);
}

/** The texts of a key. */
export function textsOf(key: string): string[] {
  return key.split(separator);
}
