import { namedByThreats } from '@svc/application/intel/named-by-threats.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { EntityType } from '@svc/domain';
import { derived } from '../testing/fake-derived.ts';
import { finding } from '../testing/fake-engine.ts';
import { at, jobFixture, outcome } from './job-fixture.ts';

export const day = 86_400_000;

/** What the jobs name, by place. */
export const named: readonly (readonly [EntityType, string])[] = [
  ['user', 'CORP\\Admin_1'],
  ['user', 'alice 100%'],
  ['computer', 'WS01'],
  ['ip_address', '10.0.0.7'],
  ['ip_address', '2001:db8::7'],
  ['hash', 'AB'.repeat(16)],
  ['executable', 'certutil.exe'],
  ['executable', 'admin.exe'],
  ['domain', 'evil.example'],
  ['cmdline_file', 'run.ps1'],
  ['service', 'Admin (x)'],
  ['user', 'CORP\\Alice'],
  ['user', 'alice@corp.example'],
  ['computer', 'ws01.corp.example'],
  ['domain', 'Straße.ＥＶＩＬ.example'],
];

/** By so many events, one of which failed, within a second. */
export function shownBy(count: number, from: number) {
  return { count, failed: 1, observedFrom: from, observedTo: from + 1000 };
}

/** What the contracts on entities begin with; `make` gives empty repositories with workflows, before each test. */
export function entityFixture(make: () => Promise<Ports>) {
  let ports: Ports;
  const { submit, userNamed } = jobFixture(async () => (ports = await make()));

  /** A job that names some of the things, in a finding the first of them; heuristics know `certutil.exe` in it if wanted. */
  async function naming(
    places: readonly number[],
    over: object,
    days: number,
    shows?: ReturnType<typeof shownBy>,
  ): Promise<number> {
    const { sha256, hasThreats, ...fields } = over as { readonly sha256?: string; readonly hasThreats?: true };
    const { job } = await submit({ job: fields, ...(sha256 !== undefined && { file: { sha256 } }) });
    await ports.jobs.claim(job.id, 'claim', at);
    const task = { engine: 'sigma-native', status: 'pending', errorMessage: null, bytesTotal: 1 } as const;
    const [id = 0] = await ports.results.addTasks(job.id, [task], at);
    await ports.results.startTask(id, at);
    await ports.results.finishTask(id, outcome({ findings: [finding()], derived: hasThreats ? derived() : null }), at);
    const [found] = await ports.findings.withEvents(job.id);
    const entities = places.map((place) => ({ type: named[place]![0], value: named[place]![1], count: 1 }));
    await ports.transaction(async (tx) => {
      await tx.jobs.hold([job.id]);
      // Of two that are related, both.
      const findings = [{ finding: found!.id, entities: shows === undefined ? [0] : [0, 1] }];
      const relationships =
        shows === undefined
          ? []
          : [{ ...shows, type: 'runs_as' as const, source: 0, target: 1, samples: [{ EventID: 1 }] }];
      const saying = {
        version: 1,
        describe: ({ value }: { readonly value: string }) => {
          const keys = value.startsWith('certutil')
            ? ['lolbin']
            : value.startsWith('10.')
              ? ['rfc1918', 'private']
              : [];
          return { attributes: keys.length > 0 ? { key: true } : null, keys };
        },
      };
      const threats = (await tx.intel.threatsOf([job.id])).get(job.id) ?? [];
      const intel = { entities, findings, relationships, threats: namedByThreats(entities, threats) };
      const when = new Date(at.getTime() + days * day);
      await tx.intel.replace([{ jobId: job.id, intel, at: when, isLocal: false }], saying);
    });
    return job.id;
  }

  return { naming, userNamed };
}
