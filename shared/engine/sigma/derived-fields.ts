import type { FieldTable } from '../events/field-table.ts';
import type { LogEvent } from '../events/log-event.ts';
import type { Route } from '../events/route.ts';
import { ABSENT, type ValueId } from '../events/value-table.ts';
import type { MappingName } from './source-rows.ts';

/** A field that a record has only by way of others (detection-engine 1.2.3 step 4). */
export type Derived = (event: LogEvent) => ValueId;

type Make = (fields: FieldTable) => Derived;

/** Another field under this name. */
function from(name: string): Make {
  return (fields) => {
    const field = fields.id(name);
    return (event) => event.value(field);
  };
}

/** A text made of others; `get` gives a field's text, undefined when it is absent. */
function made(make: (get: (name: string) => string | undefined) => string | undefined): Make {
  return (fields) => (event) => {
    const text = make((name) => {
      const value = event.value(fields.id(name));
      return value === ABSENT ? undefined : event.values.text(value);
    });
    return text === undefined ? ABSENT : event.values.intern(text);
  };
}

function changed(name: string, change: (text: string) => string): Make {
  return made((get) => {
    const text = get(name);
    return text === undefined ? undefined : change(text);
  });
}

function hexToDecimal(text: string): string {
  return /^0x[0-9a-f]+$/i.test(text) ? BigInt(text).toString() : text;
}

function account(domain: string | undefined, user: string | undefined): string | undefined {
  return user === undefined ? undefined : `${domain ?? ''}\\${user}`;
}

const subject = made((get) => account(get('SubjectDomainName'), get('SubjectUserName')));

const processUser = made((get) => {
  const target = get('TargetUserName');
  return target === undefined || target === '' || target === '-'
    ? account(get('SubjectDomainName'), get('SubjectUserName'))
    : account(get('TargetDomainName'), target);
});

const integrityLevels: Readonly<Record<string, string>> = {
  'S-1-16-0': 'Untrusted',
  'S-1-16-4096': 'Low',
  'S-1-16-8192': 'Medium',
  'S-1-16-8448': 'Medium',
  'S-1-16-12288': 'High',
  'S-1-16-16384': 'System',
};

const registryActions: Readonly<Record<string, string>> = {
  '%%1904': 'CreateKey',
  '%%1905': 'SetValue',
  '%%1906': 'DeleteValue',
};

/** `\REGISTRY\MACHINE\…` as Sysmon writes it (M2). */
const registryTarget = made((get) => {
  const name = get('ObjectName');
  const value = get('ObjectValueName');
  const path = name
    ?.replace(/^\\REGISTRY\\MACHINE/i, 'HKLM')
    .replace(/^\\REGISTRY\\USER/i, 'HKU')
    .replace(/\\ControlSet001(?=\\|$)/i, '\\CurrentControlSet');
  return path !== undefined && value !== undefined && value !== '' && value !== '-' ? `${path}\\${value}` : path;
});

const outbound = '%%14593';

/** One of two fields, by the direction of the connection (M3). */
function directed(whenOutbound: string, whenInbound: string): Make {
  return made((get) => get(get('Direction') === outbound ? whenOutbound : whenInbound));
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
    integritylevel: changed('MandatoryLabel', (label) => integrityLevels[label] ?? label),
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
    eventtype: changed('OperationType', (action) => registryActions[action] ?? action),
    user: subject,
  },
  M3: {
    image: from('Application'),
    destinationip: directed('DestAddress', 'SourceAddress'),
    destinationport: directed('DestPort', 'SourcePort'),
    sourceip: directed('SourceAddress', 'DestAddress'),
    sourceport: directed('SourcePort', 'DestPort'),
    initiated: changed('Direction', (direction) => String(direction === outbound)),
    protocol: changed('Protocol', (number) => ({ '6': 'tcp', '17': 'udp' })[number] ?? number),
  },
  M4: { signature: from('Threat Name'), filename: from('Path'), action: from('Action Name') },
  dns: { query: from('QueryName'), answer: from('QueryResults') },
};

const hashAlgorithms = new Set(['md5', 'sha1', 'sha256', 'imphash']);
const hashEvents = new Set(['1', '6', '7', '15', '23', '26', '29']);

/** The part of Sysmon's `SHA1=…,MD5=…` that a field names (M5). */
function hashPart(algorithm: string): Make {
  const part = new RegExp(`(?:^|,)\\s*${algorithm}=([^,]*)`, 'i');
  return made((get) => part.exec(get('Hashes') ?? get('Hash') ?? '')?.[1]);
}

/** The value of a `Key=Value` line of a text, blanks in the key ignored (M6, M7). */
function lineOf(text: string, key: string): string | undefined {
  for (const line of text.split('\n')) {
    const equals = line.indexOf('=');
    if (equals > 0 && line.slice(0, equals).replace(/\s/g, '').toLowerCase() === key)
      return line.slice(equals + 1).trim();
  }
  return undefined;
}

const moduleFields = new Set(['hostapplication', 'user', 'scriptname', 'commandname']);

/** What a class of event has besides its own names, tried last (M5 to M7). */
function fallback(route: Route, key: string): Make | undefined {
  const channel = route.channel.toLowerCase();
  if (route.provider.toLowerCase() === 'microsoft-windows-sysmon' && hashEvents.has(route.eventId)) {
    return hashAlgorithms.has(key) ? hashPart(key) : undefined;
  }
  if (channel === 'windows powershell') return made((get) => lineOf(get('Data') ?? '', key));
  if (channel.startsWith('microsoft-windows-powershell') || channel.startsWith('powershellcore')) {
    const named = route.eventId === '4103' && moduleFields.has(key);
    return named ? made((get) => lineOf(get('ContextInfo') ?? '', key)) : undefined;
  }
  return undefined;
}

/** How a rule reads a field of the records of a route: its own value, or one that is derived. */
export function fieldReader(fields: FieldTable, route: Route, name: string, mapping?: MappingName): Derived | null {
  const key = name.toLowerCase();
  const mapped = mapping && mappings[mapping][key]?.(fields);
  const last = fallback(route, key)?.(fields);
  if (mapped === undefined && last === undefined) return null;
  const own = fields.id(name);
  const natively: Derived = (event) => {
    const value = event.value(own);
    return value === ABSENT && last !== undefined ? last(event) : value;
  };
  if (mapped === undefined) return natively;
  return (event) => {
    const value = mapped(event);
    return value === ABSENT ? natively(event) : value;
  };
}
