import { difference, intersection, noJobs, union, type JobSet } from './job-set.ts';

/** Binary digits that a bound on an amount of matched events can have. */
export const amountDigits = 54;

/**
 * Jobs whose amount is less than `bound`, among `all`; `digit` gives those that have a one at a place, and
 * missing places are zeros. Compares digit by digit, from the highest.
 */
function below(bound: number, all: JobSet, digit: (place: number) => JobSet): JobSet {
  let less = noJobs;
  let same = all;
  for (let place = amountDigits - 1; place >= 0; place -= 1) {
    const with1 = digit(place);
    const isOne = Math.floor(bound / 2 ** place) % 2 === 1;
    if (isOne) less = union([less, difference(same, with1)]);
    same = isOne ? intersection(same, with1) : difference(same, with1);
  }
  return less;
}

/** Jobs whose amount lies from `min` to `max`, both included; null for no upper bound. */
export function amountsIn(
  { min, max }: { readonly min: number; readonly max: number | null },
  all: JobSet,
  digit: (place: number) => JobSet,
): JobSet {
  const enough = min <= 0 ? all : difference(all, below(min, all, digit));
  if (max === null) return enough;
  return max < 0 ? noJobs : intersection(enough, below(max + 1, all, digit));
}
