import { moment } from '@svc/domain';

/** A time as reports write it, UTC; what is no time stays as it is, and null is empty. */
export function shownTime(iso: string | null): string {
  return iso === null ? '' : (moment(iso)?.utc ?? iso);
}
