import type { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import { ABSENT, type ValueId } from '../events/value-id.ts';
import type { MappingName } from './source-row.ts';
import { isLinuxSysmon } from './linux-sources.ts';
import { isSysmon } from './windows-sources.ts';

/** A field that a record has only by way of others (detection-engine 1.2.3 step 4). */
export type Derived = (event: LogEvent) => ValueId;

type Make = (fields: FieldTable) => Derived;
type Texts = readonly (string | undefined)[];

/** Another field under this name. */
function from(name: string): Make {
  return (fields) => {
    const field = fields.id(name);
    return (event) => event.value(field);
  };
}

/** A text made of others; `make` gets their texts, undefined for an absent one. */
function made(names: readonly string[], make: (...texts: Texts) => string | undefined): Make {
  return (fields) => {
    const ids = names.map((name) => fields.id(name));
    return (event) => {
      const text = make(
        ...ids.map((id) => {
          const value = event.value(id);
          return value === ABSENT ? undefined : event.values.text(value);
        }),
      );
      return text === undefined ? ABSENT : event.values.intern(text);
    };
  };
}

function changed(name: string, change: (text: string) => string): Make {
  return made([name], (text) => (text === undefined ? undefined : change(text)));
}

/** One text for another, the same where none is given. */
function named(name: string, texts: Readonly<Record<string, string>>): Make {
  const known = new Map(Object.entries(texts));
  return changed(name, (text) => known.get(text) ?? text);
}

function hexToDecimal(text: string): string {
  return /^0x[0-9a-f]{1,16}$/i.test(text) ? BigInt(text).toString() : text;
}

function account(domain: string | undefined, user: string | undefined): string | undefined {
  return user === undefined ? undefined : `${domain ?? ''}\\${user}`;
}

const subject = made(['SubjectDomainName', 'SubjectUserName'], account);

const processUser = made(
  ['TargetDomainName', 'TargetUserName', 'SubjectDomainName', 'SubjectUserName'],
  (domain, user, ...subjects) =>
    user === undefined || user === '' || user === '-'
      ? account(...(subjects as [string, string]))
      : account(domain, user),
);

/** `\REGISTRY\MACHINE\…` as Sysmon writes it (M2). */
const registryTarget = made(['ObjectName', 'ObjectValueName'], (name, value) => {
  const path = name
    ?.replace(/^\\REGISTRY\\MACHINE/i, 'HKLM')
    .replace(/^\\REGISTRY\\USER/i, 'HKU')
    .replace(/\\ControlSet001(?=\\|$)/i, '\\CurrentControlSet');
  return path !== undefined && value !== undefined && value !== '' && value !== '-' ? `${path}\\${value}` : path;
});

const outbound = '%%14593';
const inbound = '%%14592';

/** One of two fields, by the direction of the connection (M3). */
function directed(whenOutbound: string, whenInbound: string): Make {
  return made(['Direction', whenOutbound, whenInbound], (direction, out, in_) =>
    direction === outbound ? out : direction === inbound ? in_ : undefined,
  );
}

/** The mappings through which a rule's fields are read before the record's own (1.2.3). */
const mappings: Readonly<Record<MappingName, Readonly<Record<string, Make>>>> = {
  'M1-4688': {
    image: from('NewProcessName'),
    parentimage: from('ParentProcessName'),
    processid: changed('NewProcessId', hexToDecimal),
    parentprocessid: changed('ProcessId', hexToDecimal),
    user: processUser,
    logonid: from('SubjectLogonId'),
    integritylevel: named('MandatoryLabel', {
      'S-1-16-0': 'Untrusted',
      'S-1-16-4096': 'Low',
      'S-1-16-8192': 'Medium',
      'S-1-16-8448': 'Medium',
      'S-1-16-12288': 'High',
      'S-1-16-16384': 'System',
    }),
    utctime: from('TimeCreated_SystemTime'),
  },
  'M1-4689': {
    image: from('ProcessName'),
    processid: changed('ProcessId', hexToDecimal),
    user: processUser,
  },
  M2: {
    targetobject: registryTarget,
    details: from('NewValue'),
    image: from('ProcessName'),
    eventtype: named('OperationType', { '%%1904': 'CreateKey', '%%1905': 'SetValue', '%%1906': 'DeleteValue' }),
    user: subject,
  },
  M3: {
    image: from('Application'),
    destinationip: directed('DestAddress', 'SourceAddress'),
    destinationport: directed('DestPort', 'SourcePort'),
    sourceip: directed('SourceAddress', 'DestAddress'),
    sourceport: directed('SourcePort', 'DestPort'),
    initiated: named('Direction', { [outbound]: 'true', [inbound]: 'false' }),
    protocol: named('Protocol', { '6': 'tcp', '17': 'udp' }),
  },
  M4: { signature: from('Threat Name'), filename: from('Path'), action: from('Action Name') },
  dns: { query: from('QueryName'), answer: from('QueryResults') },
};

const hashAlgorithms = new Set(['md5', 'sha1', 'sha256', 'imphash']);
const hashEvents = new Set(['1', '6', '7', '15', '23', '26', '29']);

/** The part of Sysmon's `SHA1=…,MD5=…` that a field names (M5). */
function hashPart(algorithm: string): Make {
  const part = new RegExp(`(?:^|,)\\s*${algorithm}=([^,]*)`, 'i');
  return made(['Hashes', 'Hash'], (hashes, hash) => part.exec(hashes ?? hash ?? '')?.[1]);
}

/** The value of the `Key=Value` line of a text that a field names, blanks in the key ignored (M6, M7). */
function lineOf(field: string, key: string): Make {
  return made([field], (text = '') => {
    for (const line of text.split('\n')) {
      const equals = line.indexOf('=');
      if (equals > 0 && line.slice(0, equals).replace(/\s/g, '').toLowerCase() === key)
        return line.slice(equals + 1).trim();
    }
    return undefined;
  });
}

const classicEvents = new Set(['400', '600', '800']);
const moduleChannels = new Set(['microsoft-windows-powershell/operational', 'powershellcore/operational']);
const moduleFields = new Set(['hostapplication', 'user', 'scriptname', 'commandname']);

/** The text that a route's records are also read from, besides their own names (M5 to M7). */
export function textOfFields(route: Route): 'Hashes' | 'Data' | 'ContextInfo' | undefined {
  if (isSysmon(route) || isLinuxSysmon(route)) return hashEvents.has(route.eventId) ? 'Hashes' : undefined;
  const channel = route.channel.toLowerCase();
  if (channel === 'windows powershell') return classicEvents.has(route.eventId) ? 'Data' : undefined;
  return moduleChannels.has(channel) && route.eventId === '4103' ? 'ContextInfo' : undefined;
}

/** What a class of event has besides its own names, tried last. */
function fallback(route: Route, key: string): Make | undefined {
  const text = textOfFields(route);
  if (text === 'Hashes') return hashAlgorithms.has(key) ? hashPart(key) : undefined;
  if (text === 'ContextInfo') return moduleFields.has(key) ? lineOf(text, key) : undefined;
  return text && lineOf(text, key);
}

/** How a rule reads a field of the records of a route where it is derived; null where it is the record's own. */
export function fieldReader(fields: FieldTable, route: Route, name: string, mapping?: MappingName): Derived | null {
  const key = name.toLowerCase();
  const table = mapping && mappings[mapping];
  const mapped = table && Object.hasOwn(table, key) ? table[key]!(fields) : undefined;
  const last = fallback(route, key)?.(fields);
  // Elsewhere an alias of Computer, in classic PowerShell a name of the text's own (M6).
  const first = key === 'hostname' ? last : mapped;
  if (first === undefined && last === undefined) return null;
  const own = fields.id(name);
  const natively: Derived = (event) => {
    const value = event.value(own);
    return value === ABSENT && last !== undefined ? last(event) : value;
  };
  if (first === undefined) return natively;
  return (event) => {
    const value = first(event);
    return value === ABSENT ? natively(event) : value;
  };
}
