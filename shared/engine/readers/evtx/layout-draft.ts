import type { Section, SlotName } from '../../events/shape.ts';
import type { ValueId } from '../../events/value-id.ts';
import { codeOf } from './layout-code.ts';
import type { TextPart } from './nodes.ts';
import type { SystemSlots } from './record-layout.ts';

const TIME = 'TimeCreated_SystemTime';

const systemNames: ReadonlyMap<string, keyof SystemSlots> = new Map([
  ['Provider_Name', 'provider'],
  ['EventID', 'eventId'],
  ['Channel', 'channel'],
  ['Computer', 'computer'],
  ['EventRecordID', 'recordId'],
  [TIME, 'time'],
]);

/** What a layout is made of, name by name in document order (detection-engine 2.6). */
export class LayoutDraft {
  readonly slots: SlotName[] = [];
  readonly codes: number[] = [];
  readonly texts: (readonly TextPart[])[] = [];
  readonly ids: ValueId[] = [];
  readonly searched: number[] = [];
  readonly system: SystemSlots = { provider: -1, eventId: -1, channel: -1, computer: -1, recordId: -1, time: -1 };
  unnamed = -1;
  /** Equal for layouts with the same names. */
  key = '';

  /** Adds a name and what its value is made of; `isUnnamed` says that it is that of a Data element without one. */
  add(
    name: string,
    section: Section,
    path: string | undefined,
    texts: readonly TextPart[],
    isAttribute = false,
    isUnnamed = false,
  ): void {
    const slot = this.slots.push({ name, section, path }) - 1;
    this.codes.push(codeOf(texts, isAttribute));
    this.texts.push(texts);
    this.ids.push(0);
    this.key += `${section}\u0000${name}\u0000${path ?? ''}\u0000`;
    const known = section === 'system' ? systemNames.get(name) : undefined;
    if (known !== undefined && this.system[known] < 0) this.system[known] = slot;
    if (section === 'data' ? name !== 'UserData_Root' : name === 'Message') this.searched.push(slot);
    if (isUnnamed && this.unnamed < 0) this.unnamed = slot;
  }

  /** The record header has a time for every record. */
  end(): void {
    if (this.system.time < 0) this.add(TIME, 'system', undefined, [], true);
  }
}
