const ZERO = 0x30;
const COLON = 0x3a;
const POINT = 0x2e;
const COMMA = 0x2c;
/** Not within a longer number: in `05/Mar/2020:14:45:45` the year does not begin it. */
const clock = /(?<!\d)\d\d:\d\d:\d\d(?:[.,]\d+)?/g;
const longest = 64;
const msOfDay = 86_400_000;

/**
 * Makes numbers of the times of a log. Most differ from the one before in the clock alone, so only that is looked at:
 * a whole one is parsed where anything around it is other than it was.
 */
export class QuickTimes {
  readonly #parse: (text: string) => string | null;
  readonly #latest: number;
  readonly #written = new Uint8Array(longest);
  /** The time parsed last: its bytes, where its clock and the fraction behind that end, and when its day began. */
  readonly #known = new Uint8Array(longest);
  #length = -1;
  #clock = 0;
  #end = 0;
  #day = 0;

  /**
   * @param parse a time as UTC ISO 8601, null where it is none; of two texts with the same day and zone it must take the same day.
   * @param latest where `parse` looks for a year: the day on which that is, in any year, is parsed each time, and days
   *   that end later, since what is made of them depends on the clock.
   */
  constructor(parse: (text: string) => string | null, latest = Number.POSITIVE_INFINITY) {
    this.#parse = parse;
    this.#latest = latest;
  }

  /** Milliseconds since 1970, NaN for what is no time. */
  ofText(text: string): number {
    const { length } = text;
    if (length > longest) return this.#parsed(text);
    const written = this.#written;
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x7f) return this.#parsed(text);
      written[at] = code;
    }
    return this.ofBytes(written, 0, length);
  }

  ofBytes(bytes: Uint8Array, start: number, end: number): number {
    if (end - start === this.#length && this.#isAlike(bytes, start)) {
      const ms = clockOf(bytes, start + this.#clock, start + this.#end);
      if (ms >= 0) return this.#day + ms;
    }
    const epoch = epochOf(bytes, start, end);
    return epoch >= 0 ? epoch : this.#learn(bytes, start, end);
  }

  /** Whether the bytes around the clock are those of the time parsed last. */
  #isAlike(bytes: Uint8Array, start: number): boolean {
    const known = this.#known;
    for (let at = 0; at < this.#clock; at++) if (bytes[start + at] !== known[at]) return false;
    for (let at = this.#end; at < this.#length; at++) if (bytes[start + at] !== known[at]) return false;
    return true;
  }

  #learn(bytes: Uint8Array, start: number, end: number): number {
    const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 4 * longest)));
    const ms = this.#parsed(text);
    this.#length = -1;
    const [found, ...others] = [...text.matchAll(clock)];
    if (Number.isNaN(ms) || text.length > longest || found === undefined || others.length > 0) return ms;
    const [clockStart, clockEnd] = [found.index, found.index + found[0].length];
    const ofDay = clockOf(bytes, start + clockStart, start + clockEnd);
    const day = ms - ofDay;
    if (ofDay < 0 || day + msOfDay > this.#latest || isSameDate(day, this.#latest)) return ms;
    this.#known.set(bytes.subarray(start, end));
    this.#length = end - start;
    this.#clock = clockStart;
    this.#end = clockEnd;
    this.#day = day;
    return ms;
  }

  #parsed(text: string): number {
    const iso = this.#parse(text);
    return iso === null ? Number.NaN : Date.parse(iso);
  }
}

/** Of any year. */
function isSameDate(ms: number, other: number): boolean {
  const [one, two] = [new Date(ms), new Date(other)];
  return one.getUTCMonth() === two.getUTCMonth() && one.getUTCDate() === two.getUTCDate();
}

/** Milliseconds of `10:00:01.123` within its day; -1 where the bytes are no such clock. */
function clockOf(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at + 2] !== COLON || bytes[at + 5] !== COLON) return -1;
  const hours = twoDigits(bytes, at);
  const minutes = twoDigits(bytes, at + 3);
  const seconds = twoDigits(bytes, at + 6);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59) return -1;
  const ms = end === at + 8 ? 0 : fractionOf(bytes, at + 8, end);
  return ms < 0 ? -1 : ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
}

/** Whole milliseconds of `.1234567`; -1 where the bytes are no fraction. */
function fractionOf(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] !== POINT && bytes[at] !== COMMA) return -1;
  let ms = 0;
  for (let place = 1; place <= 3 || at + place < end; place++) {
    const digit = at + place < end ? bytes[at + place]! : ZERO;
    if (!isDigit(digit)) return -1;
    if (place <= 3) ms = ms * 10 + digit - ZERO;
  }
  return ms;
}

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - ZERO;
  const ones = bytes[at + 1]! - ZERO;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
}

/** Milliseconds of ten digits of seconds with a fraction or none, or of thirteen; -1 for anything else. */
function epochOf(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 10) return -1;
  let number = 0;
  for (let at = start; at < start + 10; at++) {
    const digit = bytes[at]!;
    if (!isDigit(digit)) return -1;
    number = number * 10 + digit - ZERO;
  }
  if (length === 10) return number * 1000;
  if (bytes[start + 10] === POINT) {
    const fraction = length === 11 ? -1 : fractionOf(bytes, start + 10, end);
    return fraction < 0 ? -1 : number * 1000 + fraction;
  }
  if (length !== 13) return -1;
  for (let at = start + 10; at < end; at++) {
    if (!isDigit(bytes[at]!)) return -1;
    number = number * 10 + bytes[at]! - ZERO;
  }
  return number;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
