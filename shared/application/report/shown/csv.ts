/**
 * A line of a table (RFC 4180), its end included. Programs that show tables would compute a cell that begins like a
 * formula, whoever wrote it into the log: such text gets a `'` before it (resolved-platform 17).
 */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(value: string | number | null): string {
  const raw = value === null ? '' : String(value);
  const text = /^[=+\-@\t\r]/.test(raw) ? `'${raw}` : raw;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
