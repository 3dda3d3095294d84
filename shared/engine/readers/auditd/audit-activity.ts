import type { FieldId } from '../../events/field-table.ts';
import type { EventHead, LogEvent, OutputRecord, OutputValue } from '../../events/log-event.ts';
import type { Route } from '../../events/route.ts';
import type { ValueTable } from '../../events/value-table.ts';
import { ABSENT, EMPTY, type ValueId } from '../../events/value-id.ts';
import type { EventTables } from '../reader.ts';
import type { NamedSlots } from '../text/named-slots.ts';
import { addSlots, auditHead } from './audit-event.ts';
import type { AuditSiblings } from './audit-siblings.ts';
import type { AuditValues } from './audit-values.ts';
import type { AuditGroup, AuditPlace } from './audit-window.ts';
import { socketAddress } from './socket-address.ts';

export type Activity = 'process_creation' | 'file_event' | 'network_connection';

/** Titles are cut by the kernel at 128 bytes: the arguments then say more. */
const longestTitle = 126;

type FieldName = keyof typeof names;

/** Names of the Sigma taxonomy. */
const names = {
  image: 'Image',
  commandline: 'CommandLine',
  currentdirectory: 'CurrentDirectory',
  processid: 'ProcessId',
  parentprocessid: 'ParentProcessId',
  user: 'User',
  targetfilename: 'TargetFilename',
  destinationip: 'DestinationIp',
  destinationport: 'DestinationPort',
  initiated: 'Initiated',
} as const;

/** Where the taxonomy's fields come from, unless they are made. */
const sources: Readonly<Partial<Record<FieldName, readonly string[]>>> = {
  image: ['exe'],
  currentdirectory: ['cwd'],
  processid: ['pid'],
  parentprocessid: ['ppid'],
  user: ['AUID', 'auid'],
};

/**
 * What the records of one event say together: that a process was started, a file created or a
 * connection made (1.2.4 A1), under the names of Sigma's taxonomy, with the native ones beside.
 */
export class AuditActivity implements LogEvent {
  readonly values: ValueTable;
  readonly isCombined = true;
  readonly #tables: EventTables;
  readonly #cut: AuditValues;
  readonly #slots: NamedSlots;
  readonly #siblings: AuditSiblings;
  readonly #routes: Readonly<Record<Activity, Route>>;
  readonly #fields: Readonly<Record<string, FieldId>>;
  /** By field: the taxonomy's name for it, or null. */
  readonly #named: (FieldName | null | undefined)[] = [];
  #group!: AuditGroup;
  #places!: readonly AuditPlace[];
  #activity: Activity = 'process_creation';
  /** The record that tells of a file. */
  #path: AuditPlace | undefined;
  #isOutbound = true;

  constructor(tables: EventTables, cut: AuditValues) {
    this.values = tables.values;
    this.#tables = tables;
    this.#cut = cut;
    this.#slots = cut.slots;
    this.#siblings = cut.siblings;
    const route = (category: Activity): Route =>
      tables.routes.source({ product: 'linux', category, service: 'auditd' });
    this.#routes = {
      process_creation: route('process_creation'),
      file_event: route('file_event'),
      network_connection: route('network_connection'),
    };
    const native = ['exe', 'cwd', 'pid', 'ppid', 'AUID', 'auid', 'proctitle', 'name', 'nametype', 'objtype', 'saddr'];
    this.#fields = Object.fromEntries([...native, 'success', 'SYSCALL'].map((name) => [name, tables.fields.id(name)]));
  }

  /** Hands out what the event's records say together. */
  visitAll(group: AuditGroup, places: readonly AuditPlace[], visit: (event: LogEvent) => void): void {
    this.#cut.cut();
    this.#group = group;
    this.#places = places;
    this.#path = undefined;
    const call = this.#native('SYSCALL');
    const isStart = this.#siblings.has('EXECVE') || (call.startsWith('execve') && this.#native('success') === 'yes');
    if (isStart) this.#visit('process_creation', visit);
    if (this.#siblings.has('SOCKADDR') && /^(?:connect|accept4?)$/.test(call) && this.#address() !== undefined) {
      this.#isOutbound = call === 'connect';
      this.#visit('network_connection', visit);
    }
    for (const place of places) {
      if (place.type !== 'PATH' || (this.#ofPath('nametype', place) || this.#ofPath('objtype', place)) !== 'CREATE')
        continue;
      this.#path = place;
      this.#visit('file_event', visit);
    }
  }

  get offset(): number {
    return (this.#path ?? this.#places[0]!).offset;
  }

  get route(): Route {
    return this.#routes[this.#activity];
  }

  value(field: FieldId): ValueId {
    let name = this.#named[field];
    if (name === undefined) name = this.#named[field] = this.#nameOf(field);
    return name === null ? this.#nativeValue(field) : this.#taxonomyValue(name);
  }

  keywords(visit: (value: ValueId) => boolean): boolean {
    return Object.keys(names).some((name) => {
      const id = this.#taxonomyValue(name as FieldName);
      return id > EMPTY && visit(id);
    });
  }

  time(): number {
    return this.#group.time;
  }

  computer(): ValueId {
    const { node } = this.#group;
    return node === null ? ABSENT : this.values.intern(node);
  }

  head(): EventHead {
    return auditHead(this.#group, this.#activity);
  }

  toRecord(): OutputRecord {
    const record = new Map<string, OutputValue>();
    for (const [key, name] of Object.entries(names)) {
      const text = this.values.text(this.#taxonomyValue(key as FieldName));
      if (text !== '') record.set(name, text);
    }
    for (const { type, from, to } of this.#places) {
      if (type !== 'PATH' || this.#activity !== 'file_event') addSlots(record, this.#slots, from, to);
    }
    if (this.#path !== undefined) addSlots(record, this.#slots, this.#path.from, this.#path.to);
    return Object.fromEntries([...record, ['_offset', this.offset]]);
  }

  #visit(activity: Activity, visit: (event: LogEvent) => void): void {
    this.#activity = activity;
    visit(this);
  }

  #nameOf(field: FieldId): FieldName | null {
    const name = this.#tables.fields.name(field).toLowerCase();
    return Object.hasOwn(names, name) ? (name as FieldName) : null;
  }

  /** A field of the file's own record before those of others. */
  #nativeValue(field: FieldId): ValueId {
    const own = this.#path === undefined ? ABSENT : this.#slots.value(field, this.#path.from, this.#path.to);
    return own === ABSENT ? this.#siblings.value(field) : own;
  }

  #taxonomyValue(name: FieldName): ValueId {
    for (const source of sources[name] ?? []) {
      const id = this.#siblings.value(this.#fields[source]!);
      if (id !== ABSENT) return id;
    }
    switch (name) {
      case 'commandline':
        return this.#commandLine();
      case 'targetfilename':
        return this.#path === undefined ? ABSENT : this.values.intern(this.#absolute(this.#ofPath('name', this.#path)));
      case 'destinationip':
      case 'destinationport':
      case 'initiated':
        return this.#connection(name);
      default:
        return ABSENT;
    }
  }

  #commandLine(): ValueId {
    const title = this.#siblings.of('PROCTITLE', this.#fields.proctitle!);
    if (title !== ABSENT && this.values.text(title).length < longestTitle) return title;
    const given = this.#siblings.has('EXECVE') ? this.#arguments() : [];
    return given.length > 0 ? this.values.intern(given.join(' ')) : title;
  }

  /** All arguments, wherever in the records they stand. */
  #arguments(): string[] {
    const given: string[] = [];
    const execve = this.#places.find(({ type }) => type === 'EXECVE');
    for (let slot = execve?.from ?? 0; slot < (execve?.to ?? 0); slot++) {
      const number = /^a(\d{1,6})$/.exec(this.#slots.name(slot))?.[1];
      if (number !== undefined) given[Number(number)] = this.#slots.text(slot);
    }
    return given.filter((text) => text !== undefined);
  }

  #connection(name: 'destinationip' | 'destinationport' | 'initiated'): ValueId {
    const address = this.#activity === 'network_connection' ? this.#address() : undefined;
    if (address === undefined) return ABSENT;
    const text = { destinationip: address.ip, destinationport: address.port, initiated: this.#isOutbound }[name];
    return this.values.intern(String(text));
  }

  #address(): ReturnType<typeof socketAddress> {
    return socketAddress(this.values.text(this.#siblings.of('SOCKADDR', this.#fields.saddr!)));
  }

  #absolute(name: string): string {
    if (name.startsWith('/')) return name;
    const folder = this.#native('cwd');
    return folder === '' ? name : `${folder.replace(/\/$/, '')}/${name.replace(/^(?:\.\/)+/, '')}`;
  }

  #native(name: string): string {
    return this.values.text(this.#siblings.value(this.#fields[name]!));
  }

  #ofPath(name: string, { from, to }: AuditPlace): string {
    return this.values.text(this.#slots.value(this.#fields[name]!, from, to));
  }
}
