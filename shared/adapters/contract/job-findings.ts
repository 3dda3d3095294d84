import { listJobFindings } from '@svc/application/intel/list-job-findings.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { InputOf, operations } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { entityFixture, shownBy } from './entity-fixture.ts';
import { account } from './job-fixture.ts';

/** What findings of a job name; `make` gives empty repositories with workflows. */
export function jobFindingsContract(make: () => Promise<Ports>): void {
  describe('findings of a job with what they name', () => {
    let ports: Ports;
    const { naming, userNamed } = entityFixture(async () => (ports = await make()));

    it('are those of a job that the viewer sees, with what the most jobs name first', async () => {
      const owner = await userNamed('owner@example.org');
      const [mine, other] = [account(owner, 'member'), account(await userNamed('other@example.org'), 'member')];
      const hidden = await naming([0, 6], { submittedBy: owner, isPrivate: true }, 0, shownBy(1, 0));
      await naming([6], {}, 1);
      const idOf = async (type: 'executable' | 'user', value: string) => (await ports.entities.find({ type, value }))!;
      const [program, user] = [await idOf('executable', 'certutil.exe'), await idOf('user', 'corp\\admin_1')];
      const asked = { id: hidden, severity: undefined, entity_id: null, page: 1 };
      const { findings, ...part } = await listJobFindings(ports, mine, asked);
      expect(part).toEqual({ page: 1, total: 1, total_pages: 1 });
      expect(findings).toMatchObject([
        {
          job_id: hidden,
          rule_name: 'Encoded PowerShell Command Line',
          severity: 'high',
          suppressed: 0,
          more: 0,
          entities: [
            { id: program, value: 'certutil.exe', entity_type: 'executable', job_count: 2 },
            { id: user, value: 'CORP\\Admin_1', entity_type: 'user', job_count: 1 },
          ],
        },
      ]);
      const told = async (over: Partial<InputOf<typeof operations.listJobFindings>>) =>
        (await listJobFindings(ports, mine, { ...asked, ...over })).total;
      expect([await told({ severity: 'high' }), await told({ severity: 'low' })]).toEqual([1, 0]);
      expect([await told({ entity_id: user }), await told({ entity_id: 2_000_000_000 })]).toEqual([1, 0]);
      const few = await ports.entityLinks.ofJob(hidden, { severity: null, entityId: null, page: 9, per: 50, most: 1 });
      expect(few).toMatchObject({ page: 1, findings: [{ named: [{ id: program }], totalNamed: 2 }] });
      await expect(listJobFindings(ports, other, asked)).rejects.toMatchObject({ code: 'not_found' });
    });
  });
}
