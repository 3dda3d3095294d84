import { finding, output } from '@svc/adapters/testing/fake-engine.ts';
import { analyzeLog } from '@svc/adapters/testing/submit-log.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Actor, AiProvider } from '@svc/domain';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hostileLines } from '../../../test/support/hostile-lines.ts';
import type { Ports } from '../ports/ports.ts';
import { buildPrompt } from './build-prompt.ts';
import { hidesNames } from './pseudonyms/hides-names.ts';
import { restoring } from './pseudonyms/restoring.ts';
import { defaultSystemPrompts } from './system-prompts.ts';

let test: TestPorts;
let ports: Ports;
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
beforeAll(async () => {
  test = await openTestPorts();
  ports = test.ports;
}, 60_000);
beforeEach(() => test.reset());
afterAll(() => test.close());

const provider: AiProvider = {
  id: 1,
  name: 'model',
  kind: 'openai',
  baseUrl: 'https://models.example.net/v1',
  model: 'm',
  systemPrompt: null,
  caseSystemPrompt: null,
  temperature: 0,
  maxOutputTokens: 1,
  jobMaxPromptChars: null,
  caseMaxPromptChars: null,
  timeoutSeconds: 1,
  pseudonyms: null,
  isEnabled: true,
  isDefault: true,
  notes: '',
  hasToken: false,
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

async function jobWith(commandLines: readonly string[]): Promise<number> {
  test.engine.behave = async () =>
    output({
      findings: commandLines.map((CommandLine, at) =>
        finding({
          ruleId: `0f06a3a5-0000-4000-8000-${String(at).padStart(12, '0')}`,
          ruleName: `Rule ${at}`,
          events: [
            {
              recordId: String(at),
              timestamp: '2026-08-01T10:15:00Z',
              channel: 'Security',
              eventId: '4688',
              computer: 'WS01.contoso.com',
              fields: { CommandLine, SubjectUserName: 'alice', SubjectDomainName: 'CONTOSO' },
            },
          ],
        }),
      ),
    });
  return analyzeLog(ports, visitor, { fileName: 'WS01-Security.evtx' });
}

it('tells a model of a job, and no name of its network', async () => {
  const id = await jobWith(['net use \\\\FILESRV2\\c$ Winter2026! /user:CONTOSO\\alice', 'curl http://203.0.113.9/x']);
  const prompt = await buildPrompt(ports, { kind: 'job', id, provider, viewer: visitor });
  expect(prompt.sourceJobs).toEqual([id]);
  expect(prompt.system).toContain(defaultSystemPrompts.job);
  expect(prompt.system).toContain('stand-ins');
  expect(prompt.user).toMatch(/^=== EVIDENCE/);
  expect(prompt.user).toContain('203.0.113.9');
  expect(prompt.user).not.toMatch(/ws01|contoso|alice|filesrv2|Winter2026/i);
  // The answer names them again, wherever its pieces are cut.
  const answer = prompt.user.slice(prompt.user.indexOf('\n'));
  for (const size of [1, 3, 7, 1000]) {
    const restorer = restoring(prompt.pseudonyms);
    const pieces = answer.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
    const told = pieces.map((piece) => restorer.push(piece)).join('') + restorer.flush();
    expect(told).toContain('net use \\\\FILESRV2\\c$ Winter2026! /user:CONTOSO\\alice');
    expect(told).not.toContain('ANON-');
  }
});

it('lets names leave within the own network, and where the provider says so', async () => {
  const id = await jobWith(['whoami']);
  const inside = { ...provider, baseUrl: 'http://10.0.0.7:11434/v1', systemPrompt: 'Be brief.' };
  const prompt = await buildPrompt(ports, { kind: 'job', id, provider: inside, viewer: visitor });
  expect(prompt).toMatchObject({ system: 'Be brief.', pseudonyms: [] });
  expect(prompt.user).toContain('WS01.contoso.com');
  for (const [baseUrl, hides] of [
    ['https://api.example.com/v1', true],
    ['http://ollama:11434/v1', false],
    ['http://models.corp.internal/v1', false],
    ['http://127.0.0.1:9/v1', false],
    ['http://[::1]:9/v1', false],
    ['http://203.0.113.5/v1', true],
  ] as const)
    expect([baseUrl, hidesNames({ pseudonyms: null, baseUrl })]).toEqual([baseUrl, hides]);
  expect(hidesNames({ pseudonyms: true, baseUrl: inside.baseUrl })).toBe(true);
});

it('is no longer than the provider allows, also with stand-ins', async () => {
  const id = await jobWith(Array.from({ length: 45 }, (_, at) => `copy \\\\SRV${at}\\x \\\\NAS${at}\\y al`));
  for (const jobMaxPromptChars of [1, 300, 2000, 9000]) {
    const tight = { ...provider, jobMaxPromptChars };
    const prompt = await buildPrompt(ports, { kind: 'job', id, provider: tight, viewer: visitor });
    expect(prompt.user.length).toBeLessThanOrEqual(jobMaxPromptChars);
    expect(prompt.omissions.join(' ')).toMatch(/did not fit/);
  }
});

it('keeps what attackers wrote within the lines of their findings', async () => {
  const id = await jobWith(hostileLines);
  const { user } = await buildPrompt(ports, { kind: 'job', id, provider, viewer: visitor });
  const lines = user.split('\n').filter((line) => line !== '');
  const own =
    /^(?:=== EVIDENCE|## |\[finding \d+\] |Job \d|SHA-256|Log type|Engines|Matched events|Distinct|- |This brief)/;
  expect(lines.filter((line) => !own.test(line) && !line.startsWith('  - '))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('=== EVIDENCE'))).toHaveLength(1);
});

it('says nothing of a job that its reader does not see', async () => {
  const owner: Actor = {
    kind: 'account',
    userId: crypto.randomUUID(),
    email: 'a@b.c',
    role: 'member',
    ip: '192.0.2.1',
  };
  await expect(buildPrompt(ports, { kind: 'job', id: 999_999, provider, viewer: owner })).rejects.toThrow('job');
  await expect(buildPrompt(ports, { kind: 'case', id: 999_999, provider, viewer: owner })).rejects.toThrow('case');
});
