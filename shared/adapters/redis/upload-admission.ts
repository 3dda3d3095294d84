import {
  uploadLeaseMs,
  uploadShares,
  uploadWaitMs,
  type UploadAdmission,
  type UploadHolding,
  type UploadPlace,
} from '@svc/application/ports/upload-admission.ts';
import { AppError } from '@svc/domain';
import type { RedisConnection } from './connection.ts';

/**
 * KEYS: that somebody waits, then the places. ARGV: id, bytes, available bytes or '', milliseconds, holder, places for
 * each holder, for all visitors, milliseconds of waiting. A place that is taken holds `id bytes holder` and lapses by
 * itself.
 */
const holdScript = `
local function isVisitor(holder) return string.sub(holder, 1, 8) == 'network:' end
local wanted, holder, each, most = KEYS[1], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local mine, free, reserved, own, visitors = nil, nil, 0, 0, 0
for at, value in ipairs(redis.call('mget', unpack(KEYS))) do
  if at > 1 and value then
    -- Processes of an earlier version name no holder.
    local id, bytes, other = string.match(value, '^(%S+) (%d+) ?(%S*)$')
    if id == ARGV[1] then
      mine = KEYS[at]
    else
      reserved = reserved + tonumber(bytes)
      if other == holder then own = own + 1 end
      if isVisitor(other) then visitors = visitors + 1 end
    end
  elseif at > 1 then
    free = free or KEYS[at]
  end
end
if not mine then
  if own >= each then return 'share' end
  if not free or (isVisitor(holder) and visitors >= most) then
    redis.call('set', wanted, 1, 'px', ARGV[8])
    return 'busy'
  end
end
if ARGV[3] ~= '' and reserved + tonumber(ARGV[2]) > tonumber(ARGV[3]) then return 'low_space' end
redis.call('set', mine or free, ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. holder, 'px', ARGV[4])
if not mine then redis.call('del', wanted) end
return redis.call('exists', wanted) == 1 and 'wanted' or 'held'`;

/** KEYS: the places. ARGV: id. */
const releaseScript = `
for at, value in ipairs(redis.call('mget', unpack(KEYS))) do
  if value and string.match(value, '^%S+') == ARGV[1] then redis.call('del', KEYS[at]) end
end`;

/** The places of all processes that share a store: one key each, `svc:upload:lease:*` (resolved-platform 20). */
export class RedisUploadAdmission implements UploadAdmission {
  readonly #redis: RedisConnection;
  readonly #places: readonly string[];
  readonly #wanted = 'svc:upload:lease:{places}:wanted';
  readonly #shares: ReturnType<typeof uploadShares>;

  constructor(redis: RedisConnection, places: number) {
    this.#redis = redis;
    this.#shares = uploadShares(places);
    // The braces keep them on one node of a cluster, where a script can see them all.
    this.#places = Array.from({ length: places }, (_, at) => `svc:upload:lease:{places}:${at + 1}`);
  }

  async hold({ id, bytes, holder }: UploadPlace, availableBytes: number | null): Promise<UploadHolding> {
    const { each, visitors } = this.#shares;
    const values = [id, bytes, availableBytes ?? '', uploadLeaseMs, holder, each, visitors, uploadWaitMs];
    return (await this.#run(holdScript, [this.#wanted, ...this.#places], values)) as UploadHolding;
  }

  async release(id: string): Promise<void> {
    await this.#run(releaseScript, this.#places, [id]);
  }

  async #run(script: string, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown> {
    await this.#redis.tried;
    try {
      return await this.#redis.client.eval(script, keys.length, ...keys, ...values);
    } catch (cause) {
      throw new AppError('coordination_down', 'Uploads cannot be coordinated right now; try again in a few seconds', {
        cause,
      });
    }
  }
}
