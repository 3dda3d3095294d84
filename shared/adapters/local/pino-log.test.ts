import { withLogFields } from '@svc/application/ports/log.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pinoLog } from './pino-log.ts';

let written: string[];
beforeEach(() => {
  written = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => written.push(String(line)) > 0);
});
afterEach(() => vi.restoreAllMocks());

it('writes lines for people', () => {
  const log = pinoLog({ LOG_LEVEL: 'INFO', LOG_FORMAT: 'text' });
  log.debug('left out');
  log.info('job done', { jobId: 7, name: 'two words' });
  log.error('it broke', { error: new Error('disk on fire') });
  expect(written).toHaveLength(2);
  expect(written[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}job done jobId=7 name="two words"\n$/);
  expect(written[1]).toMatch(/ERROR it broke\n {2}Error: disk on fire\n {6}at /);
});

it('writes lines for programs', () => {
  const log = pinoLog({ LOG_LEVEL: 'WARNING', LOG_FORMAT: 'json' });
  log.info('left out');
  log.warn('careful', { error: new Error('x') });
  expect(written).toHaveLength(1);
  expect(JSON.parse(written[0] ?? '')).toMatchObject({
    level: 'warn',
    message: 'careful',
    time: expect.stringMatching(/Z$/),
    error: { type: 'Error', message: 'x', stack: expect.stringContaining('Error: x') },
  });
});

it('adds the fields of the work that writes', async () => {
  const log = pinoLog({ LOG_LEVEL: 'INFO', LOG_FORMAT: 'json' });
  await withLogFields({ request_id: 'r1' }, async () => {
    await Promise.resolve();
    log.info('first', { status: 200 });
    withLogFields({ job_id: 7 }, () => log.info('second'));
    log.info('third', { request_id: 'its own' });
  });
  log.info('fourth');
  const fields = written.map((line) => {
    const { level: _level, time: _time, ...rest } = JSON.parse(line) as Record<string, unknown>;
    return rest;
  });
  expect(fields).toEqual([
    { message: 'first', request_id: 'r1', status: 200 },
    { message: 'second', request_id: 'r1', job_id: 7 },
    { message: 'third', request_id: 'its own' },
    { message: 'fourth' },
  ]);
});

it('says of an error its code and causes, and nothing that libraries attach', () => {
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(a@example.org)' });
  const error = Object.assign(new Error('cannot save', { cause }), { headers: { cookie: 's3cret' } });
  const query = Object.assign(new Error('Failed query: select $1 params: s3cret', { cause }), { params: ['s3cret'] });
  for (const LOG_FORMAT of ['json', 'text'] as const) {
    written = [];
    pinoLog({ LOG_LEVEL: 'ERROR', LOG_FORMAT }).error('it broke', { error });
    pinoLog({ LOG_LEVEL: 'ERROR', LOG_FORMAT }).error('it broke', { error: cause });
    pinoLog({ LOG_LEVEL: 'ERROR', LOG_FORMAT }).error('it broke', { error: 'thrown text' });
    expect(written[0]).toMatch(/cannot save[^]*caused by Error: duplicate key/);
    if (LOG_FORMAT === 'json') expect(written[1]).toContain('"code":"23505"');
    expect(written[2]).toContain('thrown text');
    pinoLog({ LOG_LEVEL: 'ERROR', LOG_FORMAT }).error('it broke', { error: query });
    expect(written[3]).toContain('duplicate key');
    expect(written.join()).not.toMatch(/s3cret|a@example/);
  }
});

it('leaves the terminal alone', () => {
  const log = pinoLog({ LOG_LEVEL: 'INFO', LOG_FORMAT: 'text' });
  log.info('named', { name: '\u001b[2Jx.evtx', other: 'a\n2026-01-01 INFO forged', right: 'exe.\u202Egpj' });
  log.error('it broke', { error: new Error('\u001b]0;title\u0007') });
  expect(written.join('')).not.toMatch(/[^\P{C}\n]/u);
  expect(written[0]!.match(/\n/g)).toHaveLength(1);
  expect(written[0]).toContain('\\u{1b}[2Jx.evtx');
});
