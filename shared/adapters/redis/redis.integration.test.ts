import type { Log } from '@svc/application/ports/log.ts';
import type { UploadPlace } from '@svc/application/ports/upload-admission.ts';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { describeWith } from '../../../test/support/programs.ts';
import { startRedis, type RedisServer } from '../../../test/support/redis-server.ts';
import { rateLimiterContract } from '../contract/rate-limiter.ts';
import { uploadAdmissionContract } from '../contract/upload-admission.ts';
import type { PassingTime } from '../testing/passing-time.ts';
import { RedisConnection } from './connection.ts';
import { RedisRateLimiter } from './rate-limiter.ts';
import { RedisUploadAdmission } from './upload-admission.ts';

const anyone = (id: string): UploadPlace => ({ id, bytes: 1, holder: `account:${id}` });

describeWith('redis', 'Redis', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  const opened: RedisConnection[] = [];
  const lines: string[] = [];
  const write = (message: string): void => void lines.push(message);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const ready = async (connection: RedisConnection): Promise<RedisConnection> => {
    await vi.waitFor(() => connection.check(), { timeout: 20_000, interval: 10 });
    return connection;
  };
  const connect = (url = server.url): Promise<RedisConnection> => {
    const connection = new RedisConnection(url, log);
    opened.push(connection);
    return ready(connection);
  };

  beforeAll(async () => {
    server = await startRedis();
    redis = await connect();
  });
  afterEach(async () => {
    for (const connection of opened.splice(1)) await connection.close();
    lines.length = 0;
  });
  afterAll(async () => {
    await redis.close();
    await server.stop();
  });

  /** Everything that is timed is a key's expiry, so time passes by bringing it nearer. */
  const serverTime: PassingTime = {
    begin: () => redis.client.flushall(),
    pass: async (ms) => {
      for (const key of await redis.client.keys('*')) {
        const left = await redis.client.pttl(key);
        expect(left, `${key} expires`).toBeGreaterThan(0);
        if (left > ms) await redis.client.pexpire(key, left - ms);
        else await redis.client.del(key);
      }
    },
    end: () => undefined,
  };

  rateLimiterContract('Redis', () => new RedisRateLimiter(redis), serverTime);
  uploadAdmissionContract('Redis', (places) => new RedisUploadAdmission(redis, places), serverTime);

  it('counts for all processes together', async () => {
    await redis.client.flushall();
    const limiters = [new RedisRateLimiter(redis), new RedisRateLimiter(await connect())];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => limiters[at % 2]!.take('api:ip:192.0.2.1', 7)),
    );
    expect(answers.filter(Boolean)).toHaveLength(7);
    expect(await redis.client.keys('*')).toEqual(['svc:ratelimit:api:ip:192.0.2.1']);
  });

  it('has as many places for all processes together', async () => {
    await redis.client.flushall();
    const admissions = [new RedisUploadAdmission(redis, 4), new RedisUploadAdmission(await connect(), 4)];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => admissions[at % 2]!.hold(anyone(`u${at}`), null)),
    );
    expect(answers.filter((answer) => answer === 'held')).toHaveLength(4);
  });

  it('is there for who asks first, while it is being connected', async () => {
    await redis.client.flushall();
    const connection = new RedisConnection(server.url, log);
    opened.push(connection);
    const [held, taken] = await Promise.all([
      new RedisUploadAdmission(connection, 1).hold(anyone('early'), null),
      new RedisRateLimiter(connection).take('early', 1),
    ]);
    expect([held, taken]).toEqual(['held', true]);
    expect(await new RedisRateLimiter(redis).take('early', 1)).toBe(false);
    expect(lines).toEqual([]);
  });

  it('limits go on in the process while the server is gone, with one warning, and are shared again after', async () => {
    const connection = await connect();
    const limiter = new RedisRateLimiter(connection);
    const take = (times: number): Promise<boolean[]> =>
      Promise.all(Array.from({ length: times }, () => limiter.take('login:ip:192.0.2.9', 3)));
    expect(await take(3)).toEqual([true, true, true]);
    await server.stop();
    const started = performance.now();
    const taken: boolean[] = [];
    for (let at = 0; at < 20; at++) taken.push(...(await take(1)));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(3);
    // What is tested is that nobody waits for the server: a second is what a command may take.
    expect(performance.now() - started).toBeLessThan(10_000);
    await expect(connection.check()).rejects.toThrow('writeable');
    const admission = new RedisUploadAdmission(connection, 4);
    const held = admission.hold(anyone('a'), null);
    await expect(held).rejects.toMatchObject({ code: 'coordination_down' });
    await server.start();
    await Promise.all([ready(connection), ready(redis)]);
    expect(lines.filter((line) => line.includes('away'))).toHaveLength(2);
    expect(lines.filter((line) => line.includes('back'))).toHaveLength(2);
    expect(await take(4)).toEqual([true, true, true, false]);
    expect(await new RedisRateLimiter(redis).take('login:ip:192.0.2.9', 3)).toBe(false);
    expect(await admission.hold(anyone('a'), null)).toBe('held');
  });

  it('does not wait for a server that hangs, and finds it again', async () => {
    const connection = await connect();
    const limiter = new RedisRateLimiter(connection);
    server.signal('SIGSTOP');
    try {
      expect(await limiter.take('a', 1)).toBe(true);
      expect(await limiter.take('a', 1)).toBe(false);
      await expect.poll(() => lines.length, { timeout: 20_000 }).toBeGreaterThan(0);
      const started = performance.now();
      for (let at = 0; at < 20; at++) await limiter.take('b', 1);
      expect(performance.now() - started).toBeLessThan(10_000);
    } finally {
      server.signal('SIGCONT');
    }
    await Promise.all([ready(connection), ready(redis)]);
  });

  it('starts without a server and finds it later', async () => {
    const late = await startRedis();
    await late.stop();
    const connection = new RedisConnection(late.url, log);
    opened.push(connection);
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(1);
    expect(await new RedisRateLimiter(connection).take('a', 1)).toBe(true);
    await late.start();
    await ready(connection);
    await late.stop();
  });

  it('says nothing when it is closed on purpose', async () => {
    const connection = await connect();
    await connection.close();
    await expect.poll(() => connection.client.status).toBe('end');
    expect(lines).toEqual([]);
  });
});
