/** Seconds that a clock was ahead as people write them: `+1:30:00`, `-0:00:05`, `0`. */
export function clockText(seconds: number): string {
  if (seconds === 0) return '0';
  const all = Math.abs(seconds);
  return `${seconds < 0 ? '-' : '+'}${Math.floor(all / 3600)}:${two(Math.floor(all / 60) % 60)}:${two(all % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** The seconds of such a text; hours alone and seconds with `s` too, null for what is none. */
export function readClock(text: string): number | null {
  const [, sign = '', hours, minutes = '0', seconds = '0'] =
    /^\s*([+\-−]?)\s*(\d{1,6})(?::(\d{1,2})(?::(\d{1,2}))?)?\s*$/.exec(text) ?? [];
  const [, onlySign = '', only] = /^\s*([+\-−]?)\s*(\d{1,9})\s*s\s*$/.exec(text) ?? [];
  const minus = (sign || onlySign) === '-' || (sign || onlySign) === '−' ? -1 : 1;
  if (only !== undefined) return minus * Number(only) || 0;
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return minus * (3600 * Number(hours) + 60 * Number(minutes) + Number(seconds)) || 0;
}
