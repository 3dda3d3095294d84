import { age, moment } from './format.ts';
import { useNow } from './now.ts';

/** A time in UTC, `2026-08-01 10:15:07`; local time and age appear on hover. */
export function Time({ iso, precise = false, zone = false }: { iso: string; precise?: boolean; zone?: boolean }) {
  const now = useNow();
  const at = moment(iso, precise);
  if (at === null) return <span>{iso}</span>;
  return (
    <time dateTime={iso} data-hint={`${at.local} local\n${ago(at.at, now)}`}>
      {at.utc}
      {zone && <span className="faint"> UTC</span>}
    </time>
  );
}

function ago(then: number, now: number): string {
  const words = age(then, now);
  return words === 'now' ? 'just now' : `${words} ago`;
}

/** How long ago, with the exact time on hover; `isSaid` in a sentence, else in a column that says so by its head. */
export function Age({ iso, isSaid = false }: { iso: string; isSaid?: boolean }) {
  const now = useNow();
  const at = moment(iso);
  if (at === null) return null;
  return (
    <time dateTime={iso} data-hint={`${at.utc} UTC\n${at.local} local`}>
      {(isSaid ? ago : age)(at.at, now)}
    </time>
  );
}

/** A day in UTC, `2026-08-01`, with the exact time on hover; for what lies ahead too. */
export function Day({ iso }: { iso: string }) {
  const at = moment(iso);
  if (at === null) return null;
  return (
    <time dateTime={iso} data-hint={`${at.utc} UTC\n${at.local} local`}>
      {at.utc.slice(0, 10)}
    </time>
  );
}
