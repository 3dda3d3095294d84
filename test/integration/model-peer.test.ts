import { HttpModelClient } from '@svc/adapters/ai/http-model-client.ts';
import { outboundPolicies } from '@svc/adapters/outbound/policies.ts';
import { UndiciOutboundHttp } from '@svc/adapters/outbound/undici-outbound-http.ts';
import type { ModelRequest, ModelUsage } from '@svc/application/ports/model-client.ts';
import { readEnvironment } from '@svc/config';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith, freePort } from '../support/programs.ts';

const verdict = 'A verdict with **Markdown**, ünïcode and 😀 over several words.';
const key = 'sk-peer-of-the-tests';

/** A model whose answers are made up, and one by which the proxy asks itself: so it says them in the other shape, too. */
const configOf = (port: number): string =>
  JSON.stringify({
    model_list: [
      { model_name: 'mocked', litellm_params: { model: 'openai/gpt-4o', api_key: 'x', mock_response: verdict } },
      {
        model_name: 'relay',
        litellm_params: { model: 'hosted_vllm/mocked', api_base: `http://127.0.0.1:${port}/v1`, api_key: key },
      },
    ],
    general_settings: { master_key: key },
  });

/** LiteLLM's proxy, which speaks as both vendors do and is written by neither of us. */
describeWith('litellm', 'a proxy before models', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-models-'));
  const models = new HttpModelClient(new UndiciOutboundHttp(outboundPolicies(readEnvironment({}))));
  let port = 0;
  let proxy: ChildProcess;

  beforeAll(async () => {
    port = await freePort();
    const config = join(folder, 'config.json');
    writeFileSync(config, configOf(port));
    const program = join(dirname(process.env['LITELLM_PYTHON_PATH'] ?? ''), 'litellm');
    const options = ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'];
    const env = { ...process.env, LITELLM_LOCAL_MODEL_COST_MAP: 'True' };
    proxy = spawn(program, options, { env, stdio: 'ignore' });
    const isUp = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/health/liveliness`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isUp())) {
      if (proxy.exitCode !== null) throw new Error(`the proxy ended with ${proxy.exitCode}`);
      await sleep(200);
    }
  }, 300_000);
  afterAll(async () => {
    if (proxy.exitCode === null && proxy.kill()) await once(proxy, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });

  async function ask(over: Partial<ModelRequest>) {
    const said = { system: 'Be brief.', user: 'What is this?', temperature: 0.2, maxOutputTokens: 100 };
    const where = { baseUrl: `http://127.0.0.1:${port}/v1`, token: key, timeoutSeconds: 120 };
    const deltas: string[] = [];
    let usage: ModelUsage = {};
    const end = await models.ask(
      { kind: 'openai', model: 'mocked', ...said, ...where, ...over },
      { text: (delta) => void deltas.push(delta), usage: (tokens) => void (usage = { ...usage, ...tokens }) },
    );
    return { text: deltas.join(''), pieces: deltas.length, usage, ...end };
  }

  it.each([
    ['openai', 'mocked'],
    ['anthropic', 'relay'],
  ] as const)('answers as %s does, in pieces, and counts', async (kind, model) => {
    const { text, pieces, usage, isCut } = await ask({ kind, model });
    expect([text, isCut]).toEqual([verdict, false]);
    expect(pieces).toBeGreaterThan(5);
    expect([usage.input, usage.output].every((tokens) => tokens !== undefined && tokens > 0)).toBe(true);
  });

  it('may answer in one piece where it was asked for a stream', async () => {
    expect(await ask({ kind: 'anthropic' })).toMatchObject({ text: verdict, pieces: 1 });
  });

  it.each(['openai', 'anthropic'] as const)('refuses as %s does, in words that name no token', async (kind) => {
    const error = (await ask({ kind, token: 'sk-wrong-token' }).catch((reason: unknown) => reason)) as Error;
    expect(error.message).toMatch(/^The provider answered 4\d\d: ./);
    expect(error.message).not.toContain('sk-wrong-token');
    await expect(ask({ kind, model: 'there-is-none' })).rejects.toThrow(
      /^The provider answered 4\d\d: .*there-is-none/,
    );
  });
});
