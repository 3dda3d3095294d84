import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { exportFindingsCsv } from './export-findings-csv.ts';

const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };

let test: TestPorts;
beforeAll(async () => {
  test = await openTestPorts();
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

async function linesOf(id: number): Promise<string[]> {
  const bytes = await exportFindingsCsv(test.ports, visitor, { id });
  return new TextDecoder().decode(bytes).split('\r\n').slice(0, -1);
}

it('has a line for each finding, worst first, however many', async () => {
  const found = Array.from({ length: 1200 }, (_, nth) =>
    finding({
      ruleId: null,
      ruleName: nth === 700 ? '=cmd("é")' : `Rule ${nth}`,
      severity: nth === 1100 ? 'critical' : 'low',
      tags: [],
      events: [],
    }),
  );
  test.engine.behave = async () => output({ findings: found });
  const lines = await linesOf(await analyzeLog(test.ports, visitor));
  expect(lines).toHaveLength(1201);
  expect(lines[1]).toBe(
    'critical,Rule 1100,,1,2026-08-01T10:15:00.5Z,2026-08-01T10:15:00.75Z,,J. Doe,sigma-native,sigma-native,0',
  );
  expect(new Set(lines).size).toBe(1201);
  expect(lines.some((line) => line.startsWith(`low,"'=cmd(""é"")",`))).toBe(true);
});

it('is a head alone where nothing was found, and nothing where there is no job', async () => {
  test.engine.behave = async () => output({ findings: [] });
  const id = await analyzeLog(test.ports, visitor);
  expect(await linesOf(id)).toHaveLength(1);
  await expect(exportFindingsCsv(test.ports, visitor, { id: id + 1 })).rejects.toMatchObject({ code: 'not_found' });
});
