import { describe, expect, it } from 'vitest';
import { describeEnvironment, readEnvironment } from './env.ts';

describe('the environment', () => {
  it('has defaults for everything but secrets', () => {
    expect(readEnvironment({})).toMatchObject({
      PORT: 8000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      MAX_UPLOAD_SIZE_MB: 500,
      LOG_LEVEL: 'INFO',
      DEBUG: false,
      WORKER_HEARTBEAT_INTERVAL: 30,
      WORKER_HEARTBEAT_TTL: 60,
      TASKQ_QUEUE_EXPIRY: 1800,
    });
    expect(readEnvironment({}).SECRET_KEY).toBeUndefined();
  });

  it('reads numbers, switches and levels, and takes empty for unset', () => {
    const read = readEnvironment({ PORT: '9000', DEBUG: 'true', COOKIE_INSECURE: '0', LOG_LEVEL: 'debug', HOST: '' });
    expect(read).toMatchObject({
      PORT: 9000,
      DEBUG: true,
      COOKIE_INSECURE: false,
      LOG_LEVEL: 'DEBUG',
      HOST: '127.0.0.1',
    });
  });

  it.each([
    [{ PORT: '70000' }, 'PORT'],
    [{ PORT: 'http' }, 'PORT'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY: must have at least 8 characters'],
    [{ SECRET_KEY: 'ChangeMe' }, 'SECRET_KEY: must not be a placeholder'],
    [{ DEBUG: 'maybe' }, 'DEBUG'],
    [{ WORKER_HEARTBEAT_TTL: '30' }, 'WORKER_HEARTBEAT_TTL must exceed'],
  ])('refuses %j', (source, reason) => {
    expect(() => readEnvironment(source)).toThrow(reason);
  });

  it('never repeats a secret in its refusal', () => {
    expect(() => readEnvironment({ SECRET_KEY: 'hunter2' })).not.toThrow('hunter2');
  });

  it('describes every variable', () => {
    const described = describeEnvironment();
    expect(described.length).toBeGreaterThan(15);
    expect(described.filter(({ description }) => description.length < 20)).toEqual([]);
    expect(described.find(({ name }) => name === 'PORT')).toMatchObject({ fallback: '8000' });
    expect(described.find(({ name }) => name === 'SECRET_KEY')).toMatchObject({ fallback: null });
  });
});
