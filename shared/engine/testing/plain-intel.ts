import { isIPv4, isIPv6 } from 'node:net';

/** An event as the JSON of its log has it: names with texts, in document order. */
type Named = readonly (readonly [name: string, text: string])[];

/** Which fields name what, as the configuration lists them. */
interface Fields {
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly ignoredUsers: readonly string[];
  readonly commandLineExtensions: readonly string[];
}

/** What a log names, by `type value`; relationships by `type: source -> target`. */
export interface PlainIntel {
  readonly entities: Map<string, number>;
  readonly edges: Map<string, PlainEdge>;
  /** By name of a finding. */
  readonly findings: Map<string, Set<string>>;
}

interface PlainEdge {
  count: number;
  failed: number;
  from: number;
  to: number;
  samples: number;
}

/**
 * Reads intel the plain way, from the tables of resolved-intel 1, 6.1 and 6.5 and resolved-platform 5.2: every event
 * as JSON, every value looked at each time, nothing remembered.
 * @param findingsOf names of the findings that an event is in.
 */
export function plainIntel(
  events: Iterable<string>,
  config: Fields,
  findingsOf: (event: ReadonlyMap<string, string>) => readonly string[],
): PlainIntel {
  const entities = new Map<string, number>();
  const edges = new Map<string, PlainEdge>();
  const findings = new Map<string, Set<string>>();
  for (const json of events) {
    const named = namesOf(JSON.parse(json) as { Event: JsonObject });
    const event = new Map([...named].reverse());
    const found = entitiesOf(named, config);
    for (const entity of found) entities.set(entity, (entities.get(entity) ?? 0) + 1);
    for (const finding of findingsOf(event)) {
      findings.set(finding, new Set([...(findings.get(finding) ?? []), ...found]));
    }
    const time = Date.parse(event.get('TimeCreated_SystemTime') ?? '');
    const isFailed = event.get('EventID') === '4625';
    for (const edge of new Set(edgesOf(named, event, config))) {
      const known = edges.get(edge) ?? { count: 0, failed: 0, from: Infinity, to: -Infinity, samples: 0 };
      known.count++;
      known.failed += isFailed ? 1 : 0;
      known.from = Math.min(known.from, time);
      known.to = Math.max(known.to, time);
      known.samples = Math.min(3, known.count);
      edges.set(edge, known);
    }
  }
  const has = (entity: string): boolean => entities.has(entity);
  for (const entity of entities.keys()) {
    if (has(entity.replace(/^cmdline_file /, 'executable ')) && entity.startsWith('cmdline_file '))
      entities.delete(entity);
  }
  for (const edge of edges.keys()) {
    const [source, target] = edge.slice(edge.indexOf(': ') + 2).split(' -> ') as [string, string];
    if (!has(source) || !has(target)) edges.delete(edge);
  }
  for (const linked of findings.values()) for (const entity of linked) if (!has(entity)) linked.delete(entity);
  return { entities, edges, findings };
}

type Json = string | number | boolean | null | Json[] | JsonObject;
interface JsonObject {
  [name: string]: Json;
}

function namesOf({ Event }: { readonly Event: JsonObject }): Named {
  const named: [string, string][] = [];
  const walk = (name: string, value: Json): void => {
    if (Array.isArray(value)) for (const one of value) walk(name, one);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, own] of Object.entries(value)) {
        if (key === '#text') walk(name, own);
        else if (key === '#attributes')
          for (const [attribute, text] of Object.entries(own as JsonObject)) walk(`${name}_${attribute}`, text);
        else
          walk(
            key.replace(/_\d+$/, (end) => (Object.hasOwn(value, key.slice(0, -end.length)) ? '' : end)),
            own,
          );
      }
    } else if (value !== null && value !== '') named.push([name, String(value)]);
  };
  const { System = null, ...rest } = Event;
  const system: [string, string][] = [];
  walk('', System);
  system.push(...named.splice(0));
  walk('', rest);
  const computer = system.find(([name]) => name === 'Computer')?.[1] ?? '';
  return [['(host)', computer], ...system.filter(([name]) => name !== 'Computer'), ...named];
}

function entitiesOf(named: Named, config: Fields): Set<string> {
  const { fields } = config;
  const found = new Set<string>();
  const all = (values: readonly string[]): void => values.forEach((value) => found.add(value));
  for (const [name, text] of named) {
    const is = (kind: string): boolean => fields[kind]!.includes(name);
    if (is('user')) all(users(text, config));
    if (is('ip')) all(addresses(text));
    if (is('hash')) all(hashes(text));
    if (is('executable')) all(programs(text));
    if (is('domain')) all(domains(text));
    if (is('command_line')) all(files(text, config));
    if (is('service')) all(texts('service', text));
    if (is('task')) all(texts('task', text));
    if (is('computer') || name === '(host)') all(computers(text));
    if (name === 'TargetFilename') all(fileOf(text, config));
  }
  return found;
}

function edgesOf(named: Named, event: ReadonlyMap<string, string>, config: Fields): string[] {
  const id = event.get('EventID') ?? '';
  type Find = (text: string) => readonly string[];
  const each = (find: Find, ...names: string[]): string[] =>
    named.filter(([name]) => names.includes(name)).flatMap(([, text]) => find(text));
  const first = (find: Find, ...names: string[]): string[] =>
    names.map((name) => each(find, name)).find((found) => found.length > 0) ?? [];
  const of =
    (type: string, find: Find): Find =>
    (text) =>
      find(text).filter((entity) => entity.startsWith(`${type} `));
  const user: Find = (text) => users(text, config);
  const image = first(programs, 'Image', 'NewProcessName', 'ProcessName');
  const auditImage = first(programs, 'exe', 'comm', 'a0');
  const host = first(computers, '(host)', 'hostname', 'node', 'host', '_HOSTNAME');
  const domain = first(of('domain', domains), 'QueryName');
  const file: Find = (text) => fileOf(text, config);
  const made: string[] = [];
  const edge = (type: string, sources: readonly string[], targets: readonly string[]): void => {
    for (const source of sources) {
      for (const target of targets) if (source !== target) made.push(`${type}: ${source} -> ${target}`);
    }
  };
  const loaded = first(programs, 'ImageLoaded');
  edge('hashes_to', loaded.length > 0 ? loaded : image, each(hashes, 'Hashes', 'Hash'));
  edge('resolves_to', domain, first(of('ip_address', domains), 'QueryResults'));
  edge('parent_of', first(programs, 'ParentImage', 'ParentProcessName'), image);
  edge('runs_as', image, first(user, 'User'));
  edge('runs_as', auditImage, first(user, 'acct', 'auid', 'uid'));
  edge('runs_on', [...image, ...auditImage], host);
  edge('loads', image, loaded);
  edge('queries', image, domain);
  edge('communicates_with', auditImage, first(addresses, 'addr'));
  if (['', 'CREATE'].includes(event.get('nametype') ?? '')) edge('creates', auditImage, first(file, 'name'));
  if (id === '4624' || id === '4625') {
    edge('logs_on_from', first(user, 'TargetUserName'), first(addresses, 'IpAddress'));
    edge('logs_on_to', first(user, 'TargetUserName'), host);
  }
  if (id === '3') {
    const [from, to] = [first(addresses, 'SourceIp'), first(addresses, 'DestinationIp')];
    edge('connects_to', from.filter(isPublic), to.filter(isPublic));
    if (event.get('Initiated')?.toLowerCase() !== 'false') edge('communicates_with', image, to);
  }
  if (id === '11') edge('creates', image, first(file, 'TargetFilename'));
  if (id === '7045' || id === '4697') {
    const service = first((text) => texts('service', text), 'ServiceName');
    edge('installs', first(programs, 'ServiceFileName', 'ImagePath'), service);
    edge('installs', first(user, 'SubjectUserName'), service);
  }
  if (id === '4698')
    edge(
      'schedules',
      first(user, 'SubjectUserName'),
      first((text) => texts('task', text), 'TaskName'),
    );
  if (id === '8' || id === '10') edge('injects_into', first(programs, 'SourceImage'), first(programs, 'TargetImage'));
  return made;
}

function users(text: string, { ignoredUsers }: Fields): string[] {
  const name = text.trim();
  return ignoredUsers.includes(name.toLowerCase()) || name.endsWith('$') ? [] : [`user ${name}`];
}

function addresses(text: string): string[] {
  const found: string[] = [];
  for (const [word] of text.matchAll(/[0-9a-fA-F:.]+/g)) {
    const bare = word.replace(/^::ffff:(?=\d+\.)/i, '').replace(/\.$/, '');
    if (isIPv6(bare)) found.push(new URL(`http://[${bare}]`).hostname.slice(1, -1));
    // With a port behind it.
    else found.push(...bare.split(':').filter((part) => isIPv4(part)));
  }
  return found.filter((address) => address !== '::').map((address) => `ip_address ${address}`);
}

function hashes(text: string): string[] {
  const found = text.split(',').map((part) => part.split('=').at(-1)!.trim());
  return found
    .filter(
      (hex) =>
        /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i.test(hex) && hex.replaceAll('0', '') !== '',
    )
    .map((hex) => `hash ${hex.toUpperCase()}`);
}

function nameOf(path: string): string {
  return path.trim().replaceAll('\\', '/').split('/').at(-1)!.toLowerCase();
}

function programs(text: string): string[] {
  const name = nameOf(text);
  return name.length > 1 && name !== '..' ? [`executable ${name}`] : [];
}

function domains(text: string): string[] {
  return text.split(/[;,\s]+/).flatMap((part) => {
    const name = part.toLowerCase().replace(/\.$/, '');
    if (name.includes(':') || /^[\d.]+$/.test(name)) return addresses(name);
    const labels = name.split('.');
    const isHost =
      labels.length > 1 &&
      name.length >= 4 &&
      name.length <= 253 &&
      labels.every((label) => /^[a-z0-9_][a-z0-9_-]{0,62}$/.test(label)) &&
      /^[a-z][a-z-]*[a-z]$/.test(labels.at(-1)!);
    return isHost ? [`domain ${name}`] : [];
  });
}

function fileOf(path: string, { commandLineExtensions }: Fields): string[] {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 && commandLineExtensions.includes(name.slice(dot)) ? [`cmdline_file ${name}`] : [];
}

function files(text: string, config: Fields): string[] {
  return text
    .split(/\s+/)
    .filter((token) => !(token.startsWith('-') && token.includes('=')))
    .flatMap((token) => token.split(/\\?["'=]/))
    .flatMap((piece) => fileOf(piece, config));
}

function texts(type: string, text: string): string[] {
  const value = text.trim().slice(0, 500);
  return value === '' || value === '-' ? [] : [`${type} ${value}`];
}

function computers(text: string): string[] {
  const name = text.trim();
  return ['', 'offline', '-', 'n/a', 'unknown'].includes(name.toLowerCase()) ? [] : [`computer ${name}`];
}

function isPublic(entity: string): boolean {
  const address = entity.replace('ip_address ', '');
  if (address.includes(':'))
    return /^[23]/.test(address) && !/^(?:2001:db8:|2001:(?:[01]?[0-9a-f]{0,2}:|:)|2002:|3fff:)/.test(address);
  return !/^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|192\.0\.[02]|198\.1[89]|198\.51\.100|203\.0\.113|22[4-9]|2[345]\d)\./.test(
    address,
  );
}
