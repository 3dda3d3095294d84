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
