import { AppError } from '@svc/domain';

// Once in each deployment on AWS, before new code serves; its exit code and its last line say how that went.
try {
  // Imported here, since the ports are built while it loads and may refuse the environment.
  const { prepare } = await import('./preparation.ts');
  await prepare();
  // The threads that compiled rules have nothing left to do.
  process.exit(0);
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`, () => process.exit(1));
}

/** What a server that is away or refuses has to say stands behind the sentence that callers see. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof AppError)) return error instanceof Error ? error.message : String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
