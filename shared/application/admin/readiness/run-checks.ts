import { AppError, type ReadinessCheck } from '@svc/domain';

/** What one check is called by where it does not come to its end. */
export interface CheckOf<P> {
  readonly section: string;
  readonly name: string;
  /** What to do when it cannot be looked at. @default nothing: what keeps it from looking has a check of its own */
  readonly vital?: string;
  readonly run: (ports: P) => Found | Promise<Found>;
}

type Found = ReadinessCheck | readonly ReadinessCheck[];

/** Of one check; a store that is well answers in milliseconds. */
const usualLimitMs = 5000;

/** Runs all at the same time, each for so long: a store that hangs fails, and keeps nobody waiting. */
export async function runChecks<P>(
  ports: P,
  checks: readonly CheckOf<P>[],
  limitMs = usualLimitMs,
): Promise<ReadinessCheck[]> {
  return (await Promise.all(checks.map((check) => runCheck(ports, check, limitMs)))).flat();
}

async function runCheck<P>(ports: P, check: CheckOf<P>, limitMs: number): Promise<Found> {
  const { section, name, vital = null } = check;
  let deadline: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const failure = new AppError('unavailable', `There was no answer within ${limitMs / 1000} s`);
    deadline = setTimeout(() => reject(failure), limitMs);
  });
  try {
    return await Promise.race([Promise.resolve(ports).then(check.run), late]);
  } catch (error) {
    if (vital !== null) return { section, name, level: 'FAIL', message: reasonOf(error), fix: vital };
    // What is away has its own line, which says so.
    const isAway = error instanceof AppError && error.code === 'unavailable';
    const message = `This cannot be looked at: ${reasonOf(error)}`;
    return { section, name, level: isAway ? 'INFO' : 'WARN', message, fix: null };
  } finally {
    clearTimeout(deadline);
  }
}

/** In the words of whatever is below, which an operator can look up. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const said = cause instanceof Error && cause.message !== '' ? `${error.message} (${cause.message})` : error.message;
  return said === '' ? error.name : said;
}
