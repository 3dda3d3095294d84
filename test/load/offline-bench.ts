import { Networks, openNetworkDatabase } from '@svc/adapters/local/offline/networks.ts';
import { HashFilter } from '@svc/adapters/local/offline/hash-filter.ts';
import { KnownHashes } from '@svc/adapters/local/offline/known-hashes.ts';
import { sortHashes } from '@svc/adapters/local/offline/sort-hashes.ts';
import { mmdbOf } from '@svc/adapters/testing/mmdb-writer.ts';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    hashes: { type: 'string', default: '10000000' },
    networks: { type: 'string', default: '200000' },
    sorted: { type: 'string', default: '1000000' },
  },
});
const say = (what: string, figure: string): void => void process.stdout.write(`${what.padEnd(52)} ${figure}\n`);

/** Processor time of this process, in milliseconds: others on the machine do not count. */
function cpu(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** A count that a compiler cannot leave out. */
let kept = 0;

function benchNetworks(many: number): void {
  const bytes = mmdbOf(
    Array.from({ length: many }, (_, nth) => {
      const at = (nth * 7919) % 0xff_ff_ff;
      const code = String.fromCodePoint(65 + (nth % 26), 65 + (nth % 25));
      const country = { iso_code: code, names: { en: `Country ${code}`, de: `Land ${code}`, fr: `Pays ${code}` } };
      const address = `${at >>> 16}.${(at >>> 8) & 255}.${at & 255}.0`;
      return [address, 24, { country, registered_country: country }] as const;
    }),
  );
  const networks = new Networks([openNetworkDatabase(bytes)]);
  const addresses = Array.from({ length: 200_000 }, (_, nth) => {
    const at = (nth * 104_729) % 0xff_ff_ff;
    return `${at >>> 16}.${(at >>> 8) & 255}.${at & 255}.${nth % 256}`;
  });
  const ms = cpu(() => {
    for (const address of addresses) if (networks.get(address).country !== null) kept += 1;
  });
  say(`addresses, a database of ${many} networks`, `${Math.round(addresses.length / (ms / 1000))} look-ups/s`);
}

function benchFilter(many: number): void {
  const size = 20;
  const digests = Buffer.alloc(many * size);
  for (let at = 0; at < digests.length; at += 1 << 20)
    randomFillSync(digests, at, Math.min(1 << 20, digests.length - at));
  const of = (nth: number): Uint8Array => digests.subarray(nth * size, (nth + 1) * size);
  const filter = HashFilter.for(many);
  const made = cpu(() => {
    for (let nth = 0; nth < many; nth += 1) filter.add(of(nth));
  });
  say(`filter of ${many} hashes`, `${(filter.bytes.length / 1e6).toFixed(1)} MB, made in ${Math.round(made)} ms`);
  const asked = 2_000_000;
  const strangers = randomFillSync(Buffer.alloc(asked * size));
  let wrong = 0;
  const missing = cpu(() => {
    for (let nth = 0; nth < asked; nth += 1)
      if (filter.mayHave(strangers.subarray(nth * size, (nth + 1) * size))) wrong += 1;
  });
  const present = cpu(() => {
    for (let nth = 0; nth < asked; nth += 1) if (filter.mayHave(of((nth * 7919) % many))) kept += 1;
  });
  say('one that is not in it', `${Math.round((missing * 1e6) / asked)} ns, ${wrong} of ${asked} let through`);
  say('one that is', `${Math.round((present * 1e6) / asked)} ns`);
}

async function benchSorting(many: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-hashes-'));
  try {
    const list = createWriteStream(join(folder, 'list.txt'));
    const some: string[] = [];
    for (let nth = 0; nth < many; nth += 1000) {
      const hashes = randomFillSync(Buffer.alloc(20_000)).toString('hex').match(/.{40}/g)!;
      some.push(hashes[0]);
      if (!list.write(`${hashes.map((one) => `"${one}","","00000000","a.dll"`).join('\n')}\n`))
        await once(list, 'drain');
    }
    await once(list.end(), 'finish');
    const before = process.cpuUsage();
    await sortHashes(join(folder, 'list.txt'), join(folder, 'form'));
    const { user, system } = process.cpuUsage(before);
    say(`a list of ${many} lines sorted`, `${((user + system) / 1e6).toFixed(1)} s of processor time`);
    const known = await KnownHashes.open(join(folder, 'form'));
    const startedAt = performance.now();
    for (const hash of some) if (!(await known.has(hash))) throw new Error('a hash of the list is not found');
    say(
      'one of the list, verified against the file',
      `${((performance.now() - startedAt) / some.length).toFixed(2)} ms`,
    );
    await known.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

benchNetworks(Number(values.networks));
benchFilter(Number(values.hashes));
await benchSorting(Number(values.sorted));
if (kept === 0) throw new Error('nothing was found');
