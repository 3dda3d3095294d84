import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type {
  AiRuns,
  AlertRule,
  Enrichment,
  EnrichmentRun,
  EntityRow,
  ExportedFinding,
  JobProgress,
  SubmittedJob,
  UploadTicket,
  WebhookDelivery,
} from '@svc/contracts';
import { edgeHeaders } from '@svc/contracts';
import type { HttpResult } from '@svc/functions/http-event.ts';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployFunctions, fromEdge, host, type DeployedFunctions } from '../support/deployed-functions.ts';
import { Follower } from '../support/follower.ts';
import { bodyOf, httpEvent, refusal } from '../support/http-events.ts';
import { formType, uploadForm } from '../support/multipart.ts';
import { describeWith } from '../support/programs.ts';
import { openStandIn, type Asked, type StandIn } from '../support/stand-in.ts';

const sample = fileURLToPath(new URL('../../config/samples/intrusion-powershell.evtx', import.meta.url));

describeWith('postgres', 'the bundles of the functions', () => {
  describeWith('s3', 'as Lambda runs them', () => {
    describeWith('dynamodb', 'on LocalStack', () => {
      let folder = '';
      let service: DeployedFunctions;
      let vendor: StandIn;
      /** What hosts of others say. */
      let outside: Parameters<typeof openStandIn>[0];

      beforeAll(async () => {
        folder = await mkdtemp(join(tmpdir(), 'svc-functions-'));
        service = await deployFunctions(folder);
        vendor = await openStandIn((asked, response) => outside(asked, response));
      });
      afterAll(async () => {
        vendor?.close();
        await service?.stop();
        await rm(folder, { recursive: true, force: true });
      });

      it('say in a sentence why a database cannot be migrated', async () => {
        const { code, output } = await service.prepare({ DATABASE_URL: 'postgres://svc@127.0.0.1:1/svc' });
        expect(code).toBe(1);
        expect(output.trim().split('\n').at(-1)).toMatch(/database.*ECONNREFUSED/i);
      });

      it('prepare the installation, as often as they are deployed', async () => {
        const behind = await service.api('system', 'GET', '/health');
        expect(behind).toMatchObject({ statusCode: 503 });
        expect(bodyOf(behind)).toMatchObject({ database: 'ok', storage: 'ok', migrations: 'pending' });
        const [first, again] = [await service.prepare(), await service.prepare()];
        expect([first.code, again.code]).toEqual([0, 0]);
        const output = first.output + again.output;
        expect(output.match(/created the first administrator/g)).toHaveLength(1);
        expect(output).not.toMatch(/"level":"error"/);
        expect(output).not.toContain(service.admin.password);
        await new Promise((resolve) => setTimeout(resolve, 2100));
        expect(bodyOf(await service.api('system', 'GET', '/health'))).toMatchObject({
          status: 'ok',
          migrations: 'at_head',
        });
      });

      it('sign in by a form, for the host that the edge names', async () => {
        const { login } = service;
        const signedIn = await login({ origin: `https://${host}` });
        expect(signedIn.statusCode).toBe(204);
        expect(signedIn.cookies?.[0]).toMatch(/^svc_auth=.+; Secure$/);
        expect(refusal(await login({ origin: 'https://elsewhere.example.org' }))).toEqual([403, 'csrf']);
        const cookies = [signedIn.cookies![0]!.split(';')[0]!];
        expect(bodyOf(await service.api('auth', 'GET', '/api/users/me', { cookies }))).toMatchObject({ role: 'admin' });
      });

      it('refuse what has gone past the edge, and what they do not know', async () => {
        for (const key of ['', 'another key']) {
          const past = await service.api('jobs', 'GET', '/jobs', { headers: { [edgeHeaders.key]: key } });
          expect(refusal(past)).toEqual([403, 'forbidden']);
        }
        expect(refusal(await service.api('jobs', 'GET', '/jobs/77'))).toEqual([404, 'not_found']);
        const wrong = await service.api('submissions', 'PUT', '/api/v1/jobs');
        expect(refusal(wrong)).toEqual([405, 'method_not_allowed']);
        expect(wrong.headers).toMatchObject({ allow: 'GET, POST' });
        expect((await service.api('jobs', 'HEAD', '/jobs')).statusCode).toBe(200);
      });

      it('take a small file in a form, and tell where a large one goes', async () => {
        const send = (form: Buffer, declared: number) =>
          service.invoke<HttpResult>('api-submissions', {
            ...httpEvent('POST', '/upload', {
              headers: { ...fromEdge, 'content-type': formType, 'content-length': String(declared) },
              body: form.toString('base64'),
            }),
            isBase64Encoded: true,
          });
        const form = uploadForm('1', 3_000_000);
        const accepted = await send(form, form.length);
        expect(accepted.statusCode).toBe(202);
        const { KeyCount } = await service.s3.send(new ListObjectsV2Command({ Bucket: 'uploads' }));
        expect(KeyCount).toBeGreaterThan(0);
        const refused = await send(form, 5_000_000);
        expect(refusal(refused)).toEqual([413, 'too_large']);
        expect(refused.body).toContain('POST /api/v1/uploads');
      });

      it('carry a file from its slot to its findings', async () => {
        const id = await analysed('Powershell.evtx', await readFile(sample));
        const findings = bodyOf(await service.api('report', 'GET', `/jobs/${id}/findings.json`)) as ExportedFinding[];
        expect(findings.length).toBeGreaterThan(0);
      });

      it('hand over by the store what is too large for Lambda', async () => {
        const scripts = Array.from({ length: 8 }, (_, at) => ({
          Channel: 'Microsoft-Windows-PowerShell/Operational',
          EventID: 4104,
          Provider_Name: 'Microsoft-Windows-PowerShell',
          Computer: 'ws1.example.org',
          EventRecordID: at + 1,
          TimeCreated: new Date(Date.UTC(2026, 7, 1, 0, at)).toISOString(),
          ScriptBlockText: 'Send-MailMessage -To a@example.org -Attachments a.zip',
          Attachment: randomBytes(600_000).toString('base64'),
        }));
        const log = Buffer.from(scripts.map((script) => JSON.stringify(script)).join('\n'));
        const path = `/jobs/${await analysed('scripts.json', log)}/findings.json`;
        const answer = await service.api('report', 'GET', path);
        expect([answer.statusCode, answer.body]).toEqual([303, undefined]);
        const link = String(answer.headers?.['location']);
        expect(new URL(link).origin).toBe(service.endpoint);
        const handed = await fetch(link);
        const disposition = handed.headers.get('content-disposition');
        expect([handed.status, handed.headers.get('content-type'), disposition]).toEqual([
          200,
          'application/json',
          expect.stringContaining('attachment') as unknown,
        ]);
        const findings = (await handed.json()) as ExportedFinding[];
        const sent = new Set(findings.flatMap(({ details }) => details.map((event) => event['Attachment'])));
        expect(scripts.filter(({ Attachment }) => !sent.has(Attachment))).toHaveLength(0);
      });

      /** Sends a file as pages do, into a slot of the store, and has it analysed: the job's id. */
      async function analysed(filename: string, log: Buffer): Promise<number> {
        const reserved = await service.post('submissions', '/uploads', {
          filename,
          size_bytes: log.length,
          sha256: createHash('sha256').update(log).digest('hex'),
        });
        expect(reserved.statusCode).toBe(201);
        const ticket = bodyOf(reserved) as UploadTicket;
        expect(new URL(ticket.url).origin).toBe(service.endpoint);
        const sent = await fetch(ticket.url, { method: 'PUT', headers: ticket.headers, body: new Uint8Array(log) });
        expect(sent.status).toBe(200);
        const submitted = await service.post('submissions', '/upload', { workflow_id: 1, upload_id: ticket.upload_id });
        expect(submitted.statusCode).toBe(202);
        const { job_id: id } = bodyOf(submitted) as SubmittedJob;
        await service.work();
        const progress = bodyOf(await service.api('jobs', 'GET', `/jobs/${id}/status`)) as JobProgress;
        expect(progress.status).toBe('completed');
        return id;
      }

      it('ask a service about an entity, and about several by the queue', async () => {
        const { items } = await service.asAdmin<{ items: EntityRow[] }>('intel', '/intel/entities?types=computer,user');
        const [first, ...others] = items;
        expect(others).not.toEqual([]);
        outside = (_, response) => response.end('{"score":97}');
        const { id } = await service.asAdmin<{ id: number }>('admin', '/admin/enrichment', {
          name: 'Reputation',
          provider_key: 'own',
          entity_types: ['computer', 'user'],
          api_template: `${vendor.url}/reputation/{value}`,
          api_headers: { authorization: 'Bearer {token}' },
          api_token: 't0ken',
          summary_fields: [{ label: 'Score', pointer: '/score' }],
          verdict_rules: [{ verdict: 'malicious', pointer: '/score', at_least: 90 }],
        });
        const known = async ({ id: entity }: EntityRow, how?: object) =>
          how
            ? service.asAdmin<Enrichment>('intel', `/intel/entities/${entity}/enrich/${id}`, how)
            : service.asAdmin<Enrichment>('intel', `/intel/entities/${entity}/enrichment`);
        const said = { id, result: { ok: true, verdict: 'malicious', summary: { Score: 97 } } };
        expect(await known(first!, {})).toMatchObject({ services: [said] });
        expect(vendor.asked.map(({ path, headers }) => [path, headers['authorization']])).toEqual([
          [`/reputation/${encodeURIComponent(first!.value)}`, 'Bearer t0ken'],
        ]);

        const ids = others.map((other) => other.id);
        const { runs } = await service.asAdmin<{ runs: EnrichmentRun[] }>('intel', '/intel/entities/bulk-enrich', {
          ids,
          service_id: id,
        });
        await service.work();
        const run = await service.asAdmin<EnrichmentRun>('intel', `/intel/enrichment-runs/${runs[0]!.id}`);
        expect(run).toMatchObject({ status: 'completed', done: ids.length });
        expect(await known(others.at(-1)!)).toMatchObject({ services: [said] });
        expect(vendor.asked).toHaveLength(items.length);
      });

      it('have a model asked by a function of its own, and readers follow it from answer to answer', async () => {
        await service.asAdmin('admin', '/admin/settings', { show_ai_analysis: true });
        const provider = { name: 'Model', kind: 'openai', base_url: vendor.url, model: 'm' };
        const { id } = await service.asAdmin<{ id: number }>('ai', '/admin/ai', provider);
        const job = await analysed('asked.evtx', await readFile(sample));
        const runs = `/jobs/${job}/ai-analysis`;
        const start = async (): Promise<number> => {
          const { analysis_id: run } = await service.asAdmin<{ analysis_id: number }>('ai', runs, { provider_id: id });
          await service.work();
          return run;
        };
        const shown = async (run: number) =>
          (await service.asAdmin<AiRuns>('ai', `${runs}?analysis_id=${run}`)).selected!;
        const frame = (content: string, finish_reason: string | null = null) =>
          `data: ${JSON.stringify({ choices: [{ delta: { content }, finish_reason }] })}\n\n`;
        /** Lets the model say its next words. */
        let goOn: ((words: string | null) => void) | undefined;
        outside = async (_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
          goOn = (words) => (words === null ? response.end(frame('', 'stop')) : response.write(frame(words)));
          response.on('close', () => (isClosed = true));
        };
        let isClosed = false;
        const isAsked = (times: number) =>
          vendor.asked.filter(({ path }) => path.endsWith('/completions')).length === times;

        const run = await start();
        await expect.poll(() => isAsked(1)).toBe(true);
        const follower = new Follower();
        const parts = ['It began ', 'with ünzip 😀 ', 'and ended badly.'];
        for (let next = 0; !follower.isDone;) {
          if (follower.text === parts.slice(0, next).join('')) goOn?.(parts[next++] ?? null);
          const headers = follower.lastEventId === undefined ? {} : { 'last-event-id': follower.lastEventId };
          const { statusCode, body = '' } = await service.api('ai', 'GET', `${runs}/${run}/stream`, { headers });
          expect(statusCode).toBe(200);
          follower.take(Buffer.from(body, 'base64').toString());
          follower.lose();
        }
        expect(await shown(run)).toMatchObject({ status: 'completed', content: parts.join('') });
        expect(follower.text).toBe(parts.join(''));

        const other = await start();
        await expect.poll(() => isAsked(2)).toBe(true);
        isClosed = false;
        goOn?.('So far');
        await expect.poll(async () => (await shown(other)).content).toBe('So far');
        await service.asAdmin('ai', `${runs}/${other}/cancel`, {});
        await expect.poll(() => isClosed).toBe(true);
        await Promise.all(service.invoked);
        expect(await shown(other)).toMatchObject({ status: 'cancelled', content: '' });
        // Lambda may do the same twice.
        await service.invoke('queue-ai', { runId: run });
        expect(isAsked(2)).toBe(true);
      });

      it('tell webhooks by a function that has neither the database nor a secret', async () => {
        const receiver = `${vendor.url}/hook`;
        outside = (_, response) => response.writeHead(204).end();
        const { rule } = await service.asAdmin<{ rule: AlertRule }>('alerts', '/intel/rules', {
          name: 'All that is analysed',
          scope: 'job',
          query: 'type:evtx',
          webhook_url: receiver,
          webhook_enabled: true,
          webhook_secret: 'secret of the rule',
        });
        const job = await analysed('told.evtx', await readFile(sample));
        const deliveries = async () =>
          (
            await service.asAdmin<{ deliveries: WebhookDelivery[] }>(
              'alerts',
              `/intel/rules/deliveries?rule_id=${rule.id}`,
            )
          ).deliveries;
        expect(await deliveries()).toMatchObject([{ job_id: job, state: 'queued' }]);

        await service.sendWebhooks();
        await service.work();
        expect(await deliveries()).toMatchObject([
          { job_id: job, state: 'delivered', attempts: [{ ok: true, status_code: 204 }] },
        ]);
        const [{ headers, body }] = vendor.asked.filter(({ path }) => path === '/hook') as [Asked];
        const signed = createHmac('sha256', 'secret of the rule').update(
          `${String(headers['x-svc-timestamp'])}.${body}`,
        );
        expect(headers['x-svc-signature']).toBe(`sha256=${signed.digest('hex')}`);
        expect(JSON.parse(body)).toMatchObject({ job: { id: job } });
      });

      it('do the periodic tasks', async () => {
        const kinds = ['job-recovery', 'expired-uploads', 'token-prune'];
        for (const kind of kinds) expect(await service.invoke('queue-maintenance', { kind })).toBeNull();
        await expect(service.invoke('queue-maintenance', { kind: 'no-such-task' })).rejects.toThrow('There is no task');
        const output = service.output('queue-maintenance');
        const lines = output.split('\n').filter((line) => line.startsWith('{'));
        const outcomes = lines.map((line) => JSON.parse(line) as { message: string; task?: string; outcome?: string });
        expect(outcomes.filter(({ outcome }) => outcome === 'completed').map(({ task }) => task)).toEqual(kinds);
      });
    });
  });
});
