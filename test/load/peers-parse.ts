import { writeSync } from 'node:fs';
import { fileSource } from '@svc/engine/node';
import { freshTables } from '@svc/engine/testing';
import { EvtxEvent } from '../../shared/engine/readers/evtx/evtx-event.ts';
import { readEvtx } from '../../shared/engine/readers/evtx/evtx-reader.ts';
import { EventJsonWriter } from '../../shared/engine/readers/evtx/render-json.ts';

const batch = 65_536;

/** Reads an event log in one thread: `visit` decodes nothing that is not asked for, `json` prints every event. */
async function parse(mode: string, path: string): Promise<void> {
  const source = await fileSource(path);
  const writer = new EventJsonWriter();
  const flush = (): void => {
    writeSync(1, writer.take());
  };
  await readEvtx(source, freshTables(), (event) => {
    if (mode !== 'json' || !(event instanceof EvtxEvent)) return;
    writer.add(event);
    if (writer.length > batch) flush();
  });
  flush();
  await source.close();
}

const [mode = 'visit', path = ''] = process.argv.slice(2);
await parse(mode, path);
