import { count } from '@svc/domain';

// How figures and times are written is the same in reports that leave the page.
export { bytes, count, counted, duration, moment, sentence, type Moment } from '@svc/domain';

/** Size of a list that was counted no further than so far: `10 000+`. */
export function totalOf({ total, total_is_floor: isFloor }: { total: number; total_is_floor: boolean }): string {
  return `${count(total)}${isFloor ? '+' : ''}`;
}

/** Short age for narrow columns: `now`, `4 min`, `3 h`, `12 d`, `5 mo`, `2 y`. */
export function age(then: number, now: number): string {
  const minutes = Math.floor((now - then) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h`;
  const days = Math.floor(hours / 24);
  if (days < 60) return `${days} d`;
  return days < 730 ? `${Math.floor(days / 30)} mo` : `${Math.floor(days / 365)} y`;
}
