import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

describe('npm run audit', () => {
  let server: Server;
  let url = '';
  let folder = '';
  let severity: string | null = null;
  let isDeaf = false;
  let asked: string[] = [];
  let runs = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-audit-'));
    // The part of npm's registry and of OSV that tells of vulnerabilities.
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
        const answer = isDeaf ? null : answerTo(request.url ?? '', body.toString());
        response.statusCode = answer === null ? 405 : 200;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answer ?? {}));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    [severity, isDeaf, asked] = [null, false, []];
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  function answerTo(path: string, body: string): unknown {
    if (path.endsWith('/security/advisories/bulk')) {
      asked.push(...Object.keys(JSON.parse(body) as object));
      if (severity === null || !body.includes('"pino"')) return {};
      const advisory = {
        id: 7,
        url: 'https://example.org/GHSA-npm',
        title: 'By npm',
        severity,
        vulnerable_versions: '*',
      };
      return { pino: [{ ...advisory, cwe: [], cvss: { score: 0, vectorString: null } }] };
    }
    if (path === '/v1/querybatch') {
      const { queries } = JSON.parse(body) as { queries: { package: { name: string }; version: string }[] };
      const isMeant = (name: string) => severity !== null && name === 'zod';
      return { results: queries.map((each) => (isMeant(each.package.name) ? { vulns: [{ id: 'GHSA-osv' }] } : {})) };
    }
    if (path === '/v1/vulns/GHSA-osv') {
      return {
        id: 'GHSA-osv',
        summary: 'By OSV',
        aliases: ['CVE-1'],
        database_specific: { severity: severity?.toUpperCase() },
      };
    }
    return null;
  }

  async function audit(ignored: readonly object[] = []) {
    await writeFile(join(folder, 'ignored.json'), JSON.stringify({ ignored }));
    // Not started by npm, whose variables would set the registry.
    const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
    const env = {
      ...Object.fromEntries(own),
      npm_config_registry: url,
      // npm remembers what an advisory said.
      npm_config_cache: join(folder, `cache-${(runs += 1)}`),
      OSV_URL: url,
      AUDIT_IGNORED: join(folder, 'ignored.json'),
    };
    const child = spawn(process.execPath, ['scripts/audit.mjs'], { cwd: repository, env });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    return { code, printed };
  }

  it('asks about every folder, and passes when nothing is known', async () => {
    const { code, printed } = await audit();
    expect(printed).toMatch(/^npm: 0 known.*\nnpm \(infra\): 0 known.*\nnpm \(tools\): 0 known.*\nOSV: 0 known/);
    expect(asked).toEqual(expect.arrayContaining(['pino', 'aws-cdk-lib', 'oxlint']));
    expect(code).toBe(0);
  });

  it('says whom it could not ask', async () => {
    isDeaf = true;
    const { code, printed } = await audit();
    expect(printed.match(/could not ask, so nothing is known/g)).toHaveLength(4);
    expect(printed).not.toContain(' 0 known');
    expect(code).toBe(0);
  });

  it('fails on high severity, and reports what both say', async () => {
    severity = 'high';
    const { code, printed } = await audit();
    expect(printed).toContain('high: pino: By npm (GHSA-npm)');
    expect(printed).toContain('high: zod: By OSV (GHSA-osv)');
    expect(code).toBe(1);
  });

  it('only reports lower severities', async () => {
    severity = 'moderate';
    const { code, printed } = await audit();
    expect(printed).toContain('moderate: zod: By OSV (GHSA-osv)');
    expect(code).toBe(0);
  });

  it('passes what is ignored with a reason, until its last day', async () => {
    severity = 'critical';
    const reason = 'nothing here calls it';
    const both = [
      { id: 'GHSA-npm', reason, until: soon },
      { id: 'CVE-1', reason, until: soon },
    ];
    expect(await audit(both)).toMatchObject({ code: 0, printed: expect.stringContaining('1 ignored') as string });
    const past = await audit([both[0]!, { ...both[1], until: '2026-01-31' }]);
    expect(past.printed).toContain('CVE-1 is ignored without a reason, or until a day that has passed (2026-01-31)');
    expect(past.code).toBe(1);
  });
});
