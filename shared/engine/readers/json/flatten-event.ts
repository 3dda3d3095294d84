import { flatSystemNames } from './flat-names.ts';
import { attribute, eachChild, flattenAttributes, flattenChildren, flattenElement } from './flatten-element.ts';
import { GivenLeaf } from './json-leaf.ts';
import { isLeaf, isTree, type JsonNode, type JsonTree, present } from './json-tree.ts';
import type { Flatten, Sink } from './windows-json-event.ts';

/**
 * A Windows event in the layouts of json_evtx: `Event` with `System`, `EventData` and `UserData` as
 * the XML has them, the same without `Event` around, or flat with `EventID` and `Channel` on top.
 */
export const flattenEvent: Flatten = (record, sink) => {
  const event = isTree(record.Event) ? record.Event : record;
  const found = new Set<string>();
  eachChild(event, (name, value) => {
    const section = isTree(value) ? sections.get(name) : undefined;
    if (section === undefined) flattenTop(name, value, sink, found);
    else section(value as JsonTree, sink);
  });
};

const sections = new Map<string, Flatten>([
  ['System', flattenSystem],
  ['EventData', flattenEventData],
  ['UserData', flattenUserData],
  ['RenderingInfo', flattenRenderingInfo],
  ['ProcessingErrorData', (data, sink) => flattenChildren(data, 'rendering', sink)],
]);

const systemElements = new Set(['Provider', 'EventID', 'TimeCreated', 'Correlation', 'Execution', 'Security']);

/** @param found System names that the event has had so far; a second one of a name is data. */
function flattenTop(name: string, value: JsonNode, sink: Sink, found: Set<string>): void {
  const system = flatSystemNames.get(name.toLowerCase());
  if (isTree(value) && systemElements.has(name)) flattenSystemElement(name, value, sink);
  else if (isLeaf(value) && system !== undefined && !found.has(system)) {
    found.add(system);
    sink.add('system', system, value);
  } else {
    flattenElement(value, { section: name === 'Message' ? 'rendering' : 'data', name }, sink);
  }
}

function flattenSystem(system: JsonTree, sink: Sink): void {
  eachChild(system, (name, value) => {
    if (isTree(value)) flattenSystemElement(name, value, sink);
    else flattenElement(value, { section: 'system', name }, sink);
  });
}

/** An element of System; some exports have its attributes as plain keys and its text as `Value`. */
function flattenSystemElement(name: string, element: JsonTree, sink: Sink): void {
  const attributes = element['#attributes'];
  const text = present(element['#text']) ?? element.Value;
  if (text !== undefined) flattenElement(text, { section: 'system', name }, sink);
  const named = isTree(attributes) ? { ...attributes, ...element } : element;
  eachChild(named, (key, value) => {
    if (key === 'Value' || key.startsWith('xmlns')) return;
    const isQualifiers = name === 'EventID' && key === 'Qualifiers';
    flattenElement(value, { section: 'system', name: isQualifiers ? key : `${name}_${key}` }, sink);
  });
}

function flattenEventData(eventData: JsonTree, sink: Sink): void {
  flattenAttributes(eventData, { section: 'data', name: 'EventData' }, sink);
  const text = eventData['#text'];
  if (text !== undefined) flattenElement(text, { section: 'data', name: 'EventData' }, sink);
  eachChild(eventData, (name, value) => {
    if (name === 'Data') flattenData(value, sink);
    else flattenElement(value, { section: 'data', name }, sink);
  });
}

/** Elements called Data, named by their attribute where they have it. */
function flattenData(data: JsonNode, sink: Sink): void {
  const name = attribute(data, 'Name');
  if (isTree(data) && name !== undefined) {
    flattenElement(data['#text'] ?? [], { section: 'data', name: name.text() }, sink);
  } else if (isLeaf(data) || isTree(data) || data.every(isLeaf)) {
    flattenElement(data, { section: 'data', name: 'Data' }, sink);
  } else {
    for (const item of data) flattenData(item, sink);
  }
}

function flattenUserData(userData: JsonTree, sink: Sink): void {
  eachChild(userData, (name, value) => {
    sink.add('data', 'UserData_Root', new GivenLeaf(name));
    flattenElement(value, { section: 'data', name, path: `UserData.${name}` }, sink);
  });
}

function flattenRenderingInfo(info: JsonTree, sink: Sink): void {
  flattenAttributes(info, { section: 'rendering', name: 'RenderingInfo' }, sink);
  eachChild(info, (name, value) => {
    const keyword = name === 'Keywords' && isTree(value) ? present(value.Keyword) : undefined;
    flattenElement(keyword ?? value, { section: 'rendering', name: name === 'Message' ? name : `${name}_Text` }, sink);
  });
}
