import { webhookRequest } from '@svc/application/alerts/webhook-request.ts';
import { sendWebhook } from '@svc/application/alerts/send-webhook.ts';
import { outboundPolicies } from '@svc/adapters/outbound/policies.ts';
import { UndiciOutboundHttp } from '@svc/adapters/outbound/undici-outbound-http.ts';
import { readEnvironment } from '@svc/config';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifiers } from '../../frontend/src/features/system/guide/verify-webhook.ts';

/** Each reads secret, timestamp, signature and body as JSON, and prints what the guide's function says. */
const programs = {
  node: {
    file: 'verify.mjs',
    command: [process.execPath, 'verify.mjs'],
    source: `${verifiers.node}
import { readFileSync } from 'node:fs';
const { secret, timestamp, signature, body } = JSON.parse(readFileSync(0, 'utf8'));
console.log(isFromSvc(secret, timestamp, signature, Buffer.from(body)));
`,
  },
  python: {
    file: 'verify.py',
    command: ['python3', 'verify.py'],
    source: `${verifiers.python}


import json
import sys

given = json.load(sys.stdin)
genuine = is_from_svc(given["secret"], given["timestamp"], given["signature"], given["body"].encode())
print("true" if genuine else "false")
`,
  },
  go: {
    file: 'verify.go',
    build: ['go', 'build', '-o', 'verify-go', 'verify.go'],
    command: ['./verify-go'],
    source: `${verifiers.go.replace('import (', 'import (\n\t"encoding/json"\n\t"fmt"\n\t"os"')}

func main() {
	var given struct{ Secret, Timestamp, Signature, Body string }
	if err := json.NewDecoder(os.Stdin).Decode(&given); err != nil {
		panic(err)
	}
	fmt.Println(isFromSvc(given.Secret, given.Timestamp, given.Signature, []byte(given.Body)))
}
`,
  },
} as const;

const secret = 'schlüssel of the rule';
let folder: string;
let delivered: { readonly headers: IncomingHttpHeaders; readonly body: string };

/** Sends a delivery as the service does, and keeps what came. */
async function deliver(at: Date): Promise<void> {
  const receiver = createServer((request, response) => {
    const take = async (): Promise<void> => {
      delivered = { headers: request.headers, body: await text(request) };
      response.writeHead(204).end();
    };
    void take();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const webhook = { url, method: 'POST', headers: {}, enabled: true } as const;
  const content = {
    event: 'rule.match',
    rule: { id: 1, name: 'Nachtwächter' },
    job: { id: 42, status: 'completed', score_ratio: '3/3', url: null },
    match_count: 1,
    truncated: false,
    entities: [{ id: 9, value: 'dc01', type: 'computer' as const }],
    delivery_id: '2f3c1a10-0000-4000-8000-000000000001',
    sent_at: at.toISOString(),
  };
  const outbound = new UndiciOutboundHttp(outboundPolicies(readEnvironment({})));
  const answer = await sendWebhook({ outbound }, webhookRequest(webhook, content, { attempt: 1, at, secret }));
  expect(answer).toMatchObject({ status: 204 });
  receiver.close();
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-verify-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Program {
  readonly file: string;
  readonly source: string;
  /** What makes a program of the source, where it is none. */
  readonly build?: readonly [string, ...string[]];
  readonly command: readonly [string, ...string[]];
}

describe.each(Object.entries<Program>(programs))('the function of the guide for %s', (name, program) => {
  const { file, source, build, command } = program;
  const [tool] = build ?? command;
  const isThere = spawnSync(tool, [name === 'go' ? 'version' : '--version']).status === 0;
  if (!isThere) console.warn(`skipped: signatures are not verified with ${name}: ${tool} is not installed`);

  it.skipIf(!isThere)(
    'knows a delivery, and none that is altered, of another secret or of another time',
    async () => {
      writeFileSync(join(folder, file), source);
      const how = { cwd: folder, encoding: 'utf8', env: { ...process.env, GOCACHE: join(folder, 'cache') } } as const;
      const run = ([path, ...args]: readonly [string, ...string[]], input = '') =>
        spawnSync(path, args, { ...how, input });
      if (build) expect(run(build)).toMatchObject({ status: 0 });
      const says = (over: Readonly<Record<string, string>> = {}): string => {
        const { headers, body } = delivered;
        const given = {
          secret,
          timestamp: headers['x-svc-timestamp'],
          signature: headers['x-svc-signature'],
          body,
          ...over,
        };
        const { stdout, stderr } = run(command, JSON.stringify(given));
        return stdout.trim() || stderr;
      };
      await deliver(new Date());
      expect(says()).toBe('true');
      expect(says({ body: delivered.body.replace('dc01', 'dc02') })).toBe('false');
      expect(says({ secret: 'another' })).toBe('false');
      expect(says({ signature: '' })).toBe('false');
      expect(says({ timestamp: String(Number(delivered.headers['x-svc-timestamp']) + 1) })).toBe('false');
      for (const minutes of [-6, 6]) {
        await deliver(new Date(Date.now() + minutes * 60_000));
        expect(says()).toBe('false');
      }
    },
    600_000,
  );
});
