import { LocalObjectStore } from '@svc/adapters/local/object-store.ts';
import { derived } from '@svc/adapters/testing/fake-derived.ts';
import { output } from '@svc/adapters/testing/fake-engine.ts';
import { overriding } from '@svc/adapters/testing/overriding.ts';
import { analyzeNext, submitLog } from '@svc/adapters/testing/submit-log.ts';
import { openServerDatabase } from '@svc/adapters/testing/test-database.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { deleteOne } from '@svc/application/jobs/delete-job.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { Actor } from '@svc/domain';

// Submits a log twice, analyses it and deletes one of its jobs, and kills itself at a step on the way between store
// and database: killed-at-step URL FOLDER STEP. Ends by itself where there are fewer steps.
const [, , url = '', folder = '', step = ''] = process.argv;
const visitor: Actor = { kind: 'anonymous', ip: '192.0.2.1' };
let left = Number(step);
function pass(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

const store = new LocalObjectStore(folder);
const objects = overriding(store, {
  create: async (suffix, content, ...where) => {
    async function* halfway(): AsyncGenerator<Uint8Array> {
      for await (const chunk of content) {
        yield chunk;
        pass();
      }
    }
    const stored = await store.create(suffix, halfway(), ...where);
    pass();
    return stored;
  },
  delete: async (key) => {
    pass();
    await store.delete(key);
    pass();
  },
});
const database = await openServerDatabase(url);
const test = await openTestPorts({ database });
const transaction: Ports['transaction'] = async (work) => {
  const result = await test.ports.transaction(work);
  pass();
  return result;
};
const ports: Ports = { ...test.ports, objects, transaction };
test.engine.behave = async () =>
  output({ derived: derived(), raw: { chunks: [Buffer.from('{"ts":null}\n')], isTruncated: false } });
const content = `ElfFile\0 ${step}`;
const first = await submitLog(ports, visitor, { content });
await submitLog(ports, visitor, { content });
await analyzeNext(ports);
await deleteOne(ports, first, null);
await test.close();
await database.close();
