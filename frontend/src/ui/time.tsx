import { age, moment } from './format.ts';
import { useNow } from './now.ts';

/** A time in UTC, `2026-08-01 10:15:07`; local time and age appear on hover. */
export function Time({ iso, precise = false, zone = false }: { iso: string; precise?: boolean; zone?: boolean }) {
  const now = useNow();
  const at = moment(iso, precise);
  if (at === null) return <span>{iso}</span>;
  const words = age(at.at, now);
  return (
    <time dateTime={iso} data-hint={`${at.local} local\n${words === 'now' ? 'just now' : `${words} ago`}`}>
      {at.utc}
      {zone && <span className="faint"> UTC</span>}
    </time>
  );
}

/** How long ago, with the exact time on hover. */
export function Age({ iso }: { iso: string }) {
  const now = useNow();
  const at = moment(iso);
  if (at === null) return null;
  return (
    <time dateTime={iso} data-hint={`${at.utc} UTC\n${at.local} local`}>
      {age(at.at, now)}
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
