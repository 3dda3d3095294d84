import { ecsHashes, ecsHashOwners, ecsNames } from './ecs-names.ts';
import { flattenElement } from './flatten-element.ts';
import { isObject, isScalar, type JsonObject, type JsonValue } from './json-value.ts';
import type { Flatten, Sink } from './windows-json-event.ts';

/** System names by where Winlogbeat and Elastic Agent have them; the first place with a value counts. */
const systemPaths: Readonly<Record<string, readonly string[]>> = {
  Provider_Name: ['winlog.provider_name', 'event.provider'],
  Provider_Guid: ['winlog.provider_guid'],
  EventID: ['winlog.event_id', 'event.code'],
  Version: ['winlog.version'],
  TimeCreated_SystemTime: ['winlog.time_created', '@timestamp'],
  EventRecordID: ['winlog.record_id'],
  Correlation_ActivityID: ['winlog.activity_id'],
  Correlation_RelatedActivityID: ['winlog.related_activity_id'],
  Execution_ProcessID: ['winlog.process.pid'],
  Execution_ThreadID: ['winlog.process.thread.id'],
  Channel: ['winlog.channel'],
  Computer: ['winlog.computer_name', 'host.name'],
  Security_UserID: ['winlog.user.identifier'],
};

/** The shipper gives the names of these and not their numbers. */
const renderedPaths: Readonly<Record<string, string>> = {
  Message: 'message',
  Level_Text: 'log.level',
  Task_Text: 'winlog.task',
  Opcode_Text: 'winlog.opcode',
  Keywords_Text: 'winlog.keywords',
};

/**
 * A Windows event as Winlogbeat or Elastic Agent ship it. EventData names that `winlog.event_data`
 * lacks are taken from ECS fields.
 */
export const flattenWinlogbeat: Flatten = (source, sink) => {
  for (const name in systemPaths) {
    const value = systemPaths[name]!.map((path) => at(source, path)).find((found) => isScalar(found) && found !== null);
    if (isScalar(value)) sink.add('system', name, value);
  }
  const provider = text(at(source, 'winlog.provider_name') ?? at(source, 'event.provider'));
  const eventId = text(at(source, 'winlog.event_id') ?? at(source, 'event.code'));
  const eventData = objectAt(source, 'winlog.event_data');
  flattenEventData(eventData, provider, sink);
  flattenUserData(objectAt(source, 'winlog.user_data'), sink);
  flattenEcs(source, ecsNames(provider, eventId), eventData, sink);
  for (const name in renderedPaths) {
    const value = at(source, renderedPaths[name]!);
    if (value !== undefined) flattenElement(value, { section: 'rendering', name }, sink);
  }
};

function flattenEventData(eventData: JsonObject, provider: string, sink: Sink): void {
  // Unnamed Data values are shipped as param1, param2, …; classic PowerShell's are looked for as Data.
  const isUnnamed = (name: string): boolean => provider === 'PowerShell' && /^param\d+$/.test(name);
  for (const name in eventData) {
    const value = eventData[name];
    if (value !== undefined) flattenElement(value, { section: 'data', name: isUnnamed(name) ? 'Data' : name }, sink);
  }
}

function flattenUserData(userData: JsonObject, sink: Sink): void {
  const root = text(userData.xml_name);
  if (root !== '') sink.add('data', 'UserData_Root', root);
  for (const name in userData) {
    const value = userData[name];
    if (value === undefined || name === 'xml_name') continue;
    flattenElement(value, { section: 'data', name, path: `UserData.${root}.${name}` }, sink);
  }
}

function flattenEcs(
  source: JsonObject,
  names: Readonly<Record<string, string>>,
  eventData: JsonObject,
  sink: Sink,
): void {
  for (const name in names) {
    const value = Object.hasOwn(eventData, name) ? undefined : at(source, names[name]!);
    if (value !== undefined && !isObject(value)) flattenElement(value, { section: 'data', name }, sink);
  }
  addUser(source, eventData, sink);
  const hashes = Object.hasOwn(eventData, 'Hashes') ? '' : hashesText(source);
  if (hashes !== '') sink.add('data', 'Hashes', hashes);
}

function addUser(source: JsonObject, eventData: JsonObject, sink: Sink): void {
  const name = text(at(source, 'user.name'));
  const domain = text(at(source, 'user.domain'));
  const isKnown = Object.hasOwn(eventData, 'User') || Object.hasOwn(eventData, 'SubjectUserName');
  if (name !== '' && !isKnown) sink.add('data', 'User', domain === '' ? name : `${domain}\\${name}`);
}

/** As Sysmon writes them: `MD5=…,SHA256=…`. */
function hashesText(source: JsonObject): string {
  for (const owner of ecsHashOwners) {
    const found = Object.entries(ecsHashes).flatMap(([name, path]) => {
      const hash = text(at(source, `${owner}.${path}`));
      return hash === '' ? [] : [`${name}=${hash.toUpperCase()}`];
    });
    if (found.length > 0) return found.join(',');
  }
  return '';
}

/** Value at a dotted path; a key that has the dots in it counts too. */
function at(object: JsonObject, path: string): JsonValue | undefined {
  if (Object.hasOwn(object, path)) return object[path];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const inner = object[path.slice(0, dot)];
    const found = isObject(inner) ? at(inner, path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function objectAt(object: JsonObject, path: string): JsonObject {
  const value = at(object, path);
  return isObject(value) ? value : {};
}

function text(value: JsonValue | undefined): string {
  return isScalar(value) && value !== null ? String(value) : '';
}
