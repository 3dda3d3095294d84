import { uploadLeaseMs, type UploadAdmission, type UploadPlace } from '@svc/application/ports/upload-admission.ts';
import { AppError } from '@svc/domain';
import type { RedisConnection } from './connection.ts';

/**
 * KEYS: the places. ARGV: id, bytes, available bytes or '', milliseconds. A place that is taken holds
 * `id bytes` and lapses by itself.
 */
const holdScript = `
local mine, free, reserved = nil, nil, 0
for at, value in ipairs(redis.call('mget', unpack(KEYS))) do
  if value then
    local id, bytes = string.match(value, '^(%S+) (%d+)$')
    if id == ARGV[1] then mine = KEYS[at] else reserved = reserved + tonumber(bytes) end
  else
    free = free or KEYS[at]
  end
end
local place = mine or free
if not place then return 'busy' end
if ARGV[3] ~= '' and reserved + tonumber(ARGV[2]) > tonumber(ARGV[3]) then return 'low_space' end
redis.call('set', place, ARGV[1] .. ' ' .. ARGV[2], 'px', ARGV[4])
return 'held'`;

/** KEYS: the places. ARGV: id. */
const releaseScript = `
for at, value in ipairs(redis.call('mget', unpack(KEYS))) do
  if value and string.match(value, '^%S+') == ARGV[1] then redis.call('del', KEYS[at]) end
end`;

/** The places of all processes that share a store: one key each, `svc:upload:lease:*` (resolved-platform 20). */
export class RedisUploadAdmission implements UploadAdmission {
  readonly #redis: RedisConnection;
  readonly #places: readonly string[];

  constructor(redis: RedisConnection, places: number) {
    this.#redis = redis;
    // The braces keep them on one node of a cluster, where a script can see them all.
    this.#places = Array.from({ length: places }, (_, at) => `svc:upload:lease:{places}:${at + 1}`);
  }

  async hold({ id, bytes }: UploadPlace, availableBytes: number | null): Promise<'held' | 'busy' | 'low_space'> {
    const outcome = await this.#run(holdScript, id, bytes, availableBytes ?? '', uploadLeaseMs);
    return outcome as 'held' | 'busy' | 'low_space';
  }

  async release(id: string): Promise<void> {
    await this.#run(releaseScript, id);
  }

  async #run(script: string, ...values: (string | number)[]): Promise<unknown> {
    await this.#redis.tried;
    try {
      return await this.#redis.client.eval(script, this.#places.length, ...this.#places, ...values);
    } catch (cause) {
      throw new AppError('coordination_down', 'Uploads cannot be coordinated right now; try again in a few seconds', {
        cause,
      });
    }
  }
}
