import { readEvtx } from '../readers/evtx/evtx-reader.ts';
import { eventJson } from '../readers/evtx/render-json.ts';
import { eventXml } from '../readers/evtx/render-xml.ts';
import { freshTables, sourceOf } from './read-all.ts';

/** A record of an event log, in every form in which it is given out. */
export interface EvtxTexts {
  readonly id: string;
  readonly xml: string;
  readonly json: string;
  /** What a rule finds under each of the record's names, empty ones left out, several joined by NULs. */
  readonly fields: Readonly<Record<string, string>>;
}

/** All records of an event log. */
export async function evtxTexts(log: Uint8Array): Promise<readonly EvtxTexts[]> {
  const texts: EvtxTexts[] = [];
  const tables = freshTables();
  await readEvtx(sourceOf(log), tables, (event) => {
    const names = Object.keys(event.toRecord()).filter((name) => !name.startsWith('_') && name !== 'UserData_Root');
    const fields = names.map((name): [string, string] => {
      const id = event.value(tables.fields.id(name));
      const values = (event.values.items(id) ?? [id]).map((item) => event.values.text(item));
      return [name, values.filter((text) => text !== '').join('\u0000')];
    });
    const id = event.frame.recordId().toString();
    texts.push({ id, xml: eventXml(event), json: eventJson(event), fields: Object.fromEntries(fields) });
  });
  return texts;
}
