import { moveJob } from '@svc/application/analysis/move-job.ts';
import { listCaseEntities, listCaseJobs } from '@svc/application/cases/list-case-links.ts';
import { openCase } from '@svc/application/cases/open-case.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Actor, Role } from '@svc/domain';
import { beforeEach } from 'vitest';
import { entityFixture, named } from './entity-fixture.ts';
import { at } from './job-fixture.ts';

/** What the contracts on cases begin with: three members, an administrator, and jobs; `make` as there. */
export function caseFixture(make: () => Promise<Ports>) {
  let ports: Ports;
  let people: Readonly<Record<'ada' | 'bea' | 'eve' | 'root', Actor>>;
  const { naming } = entityFixture(async () => (ports = await make()));

  beforeEach(async () => {
    people = {
      ada: await member('ada'),
      bea: await member('bea'),
      eve: await member('eve'),
      root: await member('root', 'admin'),
    };
  });

  async function member(name: string, role: Role = 'member'): Promise<Actor> {
    const email = `${name}@example.org`;
    const { id } = await ports.accounts.create({ email, passwordHash: 'x', role, displayName: null });
    return { kind: 'account', userId: id, email, role, ip: '192.0.2.2' };
  }

  /** A case of Ada’s, unless it is said. */
  async function opened(over: { name?: string; is_shared?: boolean; by?: Actor } = {}): Promise<number> {
    const { by = people.ada, ...fields } = over;
    const input = { name: 'Phish wave', summary: '', severity: null, is_shared: false, ...fields };
    return (await openCase(ports, by, input)).case_id;
  }

  /** A job with a report that names some things. */
  async function job(places: readonly number[], over: object = {}): Promise<number> {
    const id = await naming(places, over, 0);
    await moveJob(ports, id, { from: 'running', to: 'completed', at });
    return id;
  }

  async function entity(place: number): Promise<number> {
    const [type, value] = named[place]!;
    return (await ports.entities.find({ type, value }))!;
  }

  async function valuesOf(actor: Actor, id: number, over: object = {}): Promise<string[]> {
    const asked = { id, page: 1, q: '', sort: 'added' as const, ...over };
    return (await listCaseEntities(ports, actor, asked)).entities.map(({ value }) => value);
  }

  async function jobsOf(actor: Actor, id: number): Promise<number[]> {
    return (await listCaseJobs(ports, actor, { id, page: 1 })).jobs.map((one) => one.id);
  }

  return { now: () => ({ ports, ...people }), opened, job, entity, valuesOf, jobsOf, naming };
}

export function idOf(actor: Actor): string {
  return actor.kind === 'account' ? actor.userId : '';
}
