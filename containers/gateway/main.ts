import { explainStartFailure } from '@svc/worker/start-failure.ts';
import type { Service } from './serve.ts';

const stopDeadlineMs = 8000;

try {
  // Imported here, since the ports are built while it loads and may refuse the environment.
  const { serve } = await import('./serve.ts');
  const service = await serve();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(service));
  announce(service);
} catch (error) {
  process.stderr.write(`${explainStartFailure(error, process.env)}\n`);
  process.exit(1);
}

function announce({ firstLogin, url }: Service): void {
  if (firstLogin) {
    const lines = [
      'First start: sign in as the administrator',
      '',
      `  address    ${firstLogin.email}`,
      `  password   ${firstLogin.password}`,
      '',
      'The password is shown only now; keep it.',
    ];
    process.stdout.write(`\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`);
  }
  process.stdout.write(`Serving on ${url}\n`);
}

/** A second signal ends the process at once, as it would have without the first. */
async function stop(service: Service): Promise<void> {
  process.stdout.write('Stopping …\n');
  setTimeout(() => process.exit(1), stopDeadlineMs).unref();
  await service.stop();
  process.exit(0);
}
