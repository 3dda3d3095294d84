import { closePorts, compose, wrongSettings } from '@svc/adapters/compose.ts';
import { checkTransport } from '@svc/application/admin/readiness/check-transport.ts';
import {
  checksBeforeFirstStart,
  checksOfServices,
  checksOfTables,
} from '@svc/application/admin/readiness/get-readiness.ts';
import { runChecks } from '@svc/application/admin/readiness/run-checks.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { verdictOf, type ReadinessCheck } from '@svc/domain';
import { UsageError } from '../argument-values.ts';
import { doctorReport } from '../formats/doctor-report.ts';
import { styleFor } from '../formats/style.ts';
import type { Terminal } from '../terminal.ts';
import { parseDoctorCommand } from './arguments.ts';
import { checkContainers, hostChecks } from './host-checks.ts';

/** This account may not look. */
class NotAllowed extends Error {}

/** Runs `svc doctor` with the arguments after it, on the settings of the environment; resolves to the exit code. */
export async function runDoctor(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const command = parseDoctorCommand(argv);
    if (command.name === 'printed') {
      terminal.out(command.text);
      return 0;
    }
    const checkedAt = new Date().toISOString();
    const checks = await examine();
    const verdict = verdictOf(checks);
    if (command.json) terminal.out(`${JSON.stringify({ verdict, checked_at: checkedAt, checks }, null, 2)}\n`);
    else terminal.out(doctorReport(checks, { isVerbose: command.verbose, style: styleFor(terminal.colour) }));
    return verdict === 'not_ready' ? 1 : 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof NotAllowed)) throw error;
    const hint = error instanceof UsageError ? `\nTry: ${error.command} --help` : '';
    terminal.err(`svc: ${error.message}${hint}\n`);
    return 2;
  } finally {
    await closePorts();
  }
}

async function examine(): Promise<readonly ReadinessCheck[]> {
  const refusals = wrongSettings();
  if (refusals.length > 0) {
    const check = { section: 'Configuration', name: 'Settings', level: 'FAIL' } as const;
    const fix = 'Correct it: docs/configuration.md says what each setting means. The service does not start before';
    return [...refusals.map((message) => ({ ...check, message, fix })), await checkContainers(null)];
  }
  const ports = compose('deployment', 'keyValue', 'machine', 'objects', 'database');
  await refuseOtherAccount(ports);
  const [ofService, ofMachine] = await Promise.all([examineService(ports), runChecks(ports, hostChecks)]);
  return [...ofService, ...checkTransport(ports, null), ...ofMachine];
}

/** What root makes there, the service could not change. */
async function refuseOtherAccount({ machine }: Pick<Ports, 'machine'>): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const other = (await machine.disks()).find(({ isThere, owner }) => isThere && owner !== 0);
  if (other === undefined) return;
  throw new NotAllowed(
    `${other.path} is another account’s (number ${other.owner}): run svc doctor as that, as the service does`,
  );
}

async function examineService(
  ports: Pick<Ports, 'database' | 'deployment' | 'keyValue' | 'machine' | 'objects'>,
): Promise<readonly ReadinessCheck[]> {
  const { database, deployment } = ports;
  if (deployment.embedded) {
    if (!(await database.exists())) return runChecks(ports, checksBeforeFirstStart);
    try {
      await database.open('look');
    } catch (error) {
      return [notOpened(error), ...(await runChecks(ports, checksBeforeFirstStart.slice(1)))];
    }
  }
  const found = await runChecks(ports, checksOfServices);
  const state = await database.schema().then(
    (schema) => schema.state,
    () => null,
  );
  // Else there is nothing to ask.
  if (state === null || state === 'fresh' || state === 'unmanaged') return found;
  const others = compose(
    'clock',
    'engineSettings',
    'engines',
    'passwords',
    'queueDepths',
    'rulePacks',
    'secretBox',
    'settings',
    'siteOverview',
    'storageRecords',
    'workers',
    'workflows',
  );
  return [...found, ...(await runChecks({ ...ports, ...others }, checksOfTables))];
}

function notOpened(error: unknown): ReadinessCheck {
  const message = error instanceof Error ? error.message : String(error);
  const fix = 'Where the service runs with PGlite, it alone can look: see Admin, Dashboard, or stop it first';
  return { section: 'Services', name: 'Database', level: 'FAIL', message, fix };
}
