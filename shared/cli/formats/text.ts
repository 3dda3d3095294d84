/** Names come from files and rules of others: nothing in them may steer the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, '?');
}

/** A whole number with commas; to load what the platform knows of locales takes ten milliseconds. */
export function number(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 rule`, `2 rules`. */
export function counted(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}

export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

export function cutStart(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - Math.max(0, width - 1))}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
}

/** `2 min 05 s`; seconds alone below a minute. */
export function duration(milliseconds: number): string {
  const whole = Math.round(milliseconds / 1000);
  if (whole < 60) return seconds(milliseconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours} h ${twoDigits(minutes)} min` : `${minutes} min ${twoDigits(whole % 60)} s`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}

/** `812 bytes`, `26.1 MiB`: in the units that the pages of the service have. */
export function size(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  const step = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** step;
  return `${value.toFixed(value < 100 ? 1 : 0)} ${units[step - 1]}`;
}

/** `118 MiB/s`. */
export function rate(bytes: number, milliseconds: number): string {
  return `${size(Math.round(bytes / Math.max(0.001, milliseconds / 1000)))}/s`;
}

/** A time of a log to the second, UTC: `2026-03-01 10:30:00`. */
export function clock(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

/** First and last time to the second, UTC; the date once where it is the same. */
export function span(first: string | null, last: string | null): string {
  if (first === null || last === null) return '';
  const [from, to] = [clock(first), clock(last)];
  if (from === to) return from;
  return `${from} – ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to}`;
}

/** Rows as lines with their columns aligned, those with numbers to the right; a line is cut to the width. */
export function columns(rows: readonly (readonly (string | number)[])[], width: number): string[] {
  const isNumeric = (rows.at(-1) ?? []).map((cell) => typeof cell === 'number');
  const text = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? number(cell) : printable(cell))));
  const widths = isNumeric.map((_, at) => Math.max(...text.map((row) => row[at]!.length)));
  return text.map((row) => {
    const cells = row.map((cell, at) => (isNumeric[at] ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)));
    return cut(`  ${cells.join('  ')}`.trimEnd(), width);
  });
}

/** A text in lines of that many characters at most, those after the first two characters to the right. */
export function wrapped(text: string, width: number): string[] {
  const most = Math.max(20, width);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    for (let rest = word; ;) {
      const next = line === '' || line === '  ' ? `${line}${rest}` : `${line} ${rest}`;
      if (next.length <= most) {
        line = next;
        break;
      }
      if (line.trim() === '') {
        lines.push(next.slice(0, most));
        rest = next.slice(most);
      } else lines.push(line);
      line = '  ';
    }
  }
  return line.trim() === '' ? lines : [...lines, line];
}
