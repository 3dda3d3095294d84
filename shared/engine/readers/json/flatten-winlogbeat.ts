import { ecsHashes, ecsHashOwners, ecsNames } from './ecs-names.ts';
import { flattenElement } from './flatten-element.ts';
import { type JsonLeaf, MadeLeaf } from './json-leaf.ts';
import { isLeaf, isTree, type JsonNode, type JsonTree, nodeAt, present } from './json-tree.ts';
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
    const value = systemPaths[name]!.map((path) => nodeAt(source, path))
      .map(present)
      .find(isLeaf);
    if (value !== undefined) sink.add('system', name, value);
  }
  const provider = text(present(nodeAt(source, 'winlog.provider_name')) ?? nodeAt(source, 'event.provider'));
  const eventId = text(present(nodeAt(source, 'winlog.event_id')) ?? nodeAt(source, 'event.code'));
  const eventData = objectAt(source, 'winlog.event_data');
  flattenEventData(eventData, provider, sink);
  flattenUserData(objectAt(source, 'winlog.user_data'), sink);
  flattenEcs(source, ecsNames(provider, eventId), eventData, sink);
  for (const name in renderedPaths) {
    const value = nodeAt(source, renderedPaths[name]!);
    if (value !== undefined) flattenElement(value, { section: 'rendering', name }, sink);
  }
};

function flattenEventData(eventData: JsonTree, provider: string, sink: Sink): void {
  // Unnamed Data values are shipped as param1, param2, …; classic PowerShell's are looked for as Data.
  const isUnnamed = (name: string): boolean => provider === 'PowerShell' && /^param\d+$/.test(name);
  for (const name in eventData) {
    const value = eventData[name];
    if (value !== undefined) flattenElement(value, { section: 'data', name: isUnnamed(name) ? 'Data' : name }, sink);
  }
}

function flattenUserData(userData: JsonTree, sink: Sink): void {
  const { xml_name: rootName } = userData;
  const root = text(rootName);
  if (isLeaf(rootName) && root !== '') sink.add('data', 'UserData_Root', rootName);
  for (const name in userData) {
    const value = userData[name];
    if (value === undefined || name === 'xml_name') continue;
    flattenElement(value, { section: 'data', name, path: `UserData.${root}.${name}` }, sink);
  }
}

function flattenEcs(source: JsonTree, names: Readonly<Record<string, string>>, eventData: JsonTree, sink: Sink): void {
  for (const name in names) {
    const value = Object.hasOwn(eventData, name) ? undefined : nodeAt(source, names[name]!);
    if (value !== undefined && !isTree(value)) flattenElement(value, { section: 'data', name }, sink);
  }
  addUser(source, eventData, sink);
  const hashes = Object.hasOwn(eventData, 'Hashes') ? undefined : hashesOf(source);
  if (hashes !== undefined) sink.add('data', 'Hashes', hashes);
}

function addUser(source: JsonTree, eventData: JsonTree, sink: Sink): void {
  const name = filledAt(source, 'user.name');
  const domain = filledAt(source, 'user.domain');
  const isKnown = Object.hasOwn(eventData, 'User') || Object.hasOwn(eventData, 'SubjectUserName');
  if (name === undefined || isKnown) return;
  sink.add('data', 'User', domain ? new MadeLeaf(() => `${domain.text()}\\${name.text()}`) : name);
}

/** As Sysmon writes them: `MD5=…,SHA256=…`. */
function hashesOf(source: JsonTree): JsonLeaf | undefined {
  for (const owner of ecsHashOwners) {
    const found = Object.entries(ecsHashes).flatMap(([name, path]) => {
      const hash = filledAt(source, `${owner}.${path}`);
      return hash === undefined ? [] : { name, hash };
    });
    if (found.length > 0)
      return new MadeLeaf(() => found.map(({ name, hash }) => `${name}=${hash.text().toUpperCase()}`).join(','));
  }
  return undefined;
}

function objectAt(object: JsonTree, path: string): JsonTree {
  const value = nodeAt(object, path);
  return isTree(value) ? value : {};
}

function filledAt(object: JsonTree, path: string): JsonLeaf | undefined {
  const value = nodeAt(object, path);
  return isLeaf(value) && !value.isEmpty ? value : undefined;
}

function text(value: JsonNode | undefined): string {
  return isLeaf(value) ? value.text() : '';
}
