import { isTree, type JsonTree } from '../json/json-tree.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/json-value.ts';
import type { WindowsForm } from './windows-form.ts';

/** Wazuh's alerts and archives, and what its tests are given: the event is in `data.win` or `win`. */
export const wazuhForm: WindowsForm = {
  holds(record) {
    const win = isTree(record.data) ? record.data.win : record.win;
    return isTree(win) && isTree(win.system) && isKnown(win.system);
  },
  eventIn({ data, win }) {
    const event = isObject(data) ? data.win : win;
    return isObject(event) ? eventOf(event) : {};
  },
};

function isKnown(system: JsonTree): boolean {
  return system.eventID !== undefined && (system.channel !== undefined || system.providerName !== undefined);
}

/** Values of `system` and where the event has them. */
function eventOf({ system, eventdata, ...others }: JsonObject): JsonObject {
  const {
    providerName,
    providerGuid,
    eventSourceName,
    processID,
    threadID,
    systemTime,
    message,
    severityValue,
    ...own
  } = isObject(system) ? system : {};
  return {
    System: {
      Provider: present({ Name: providerName, Guid: providerGuid, EventSourceName: eventSourceName }),
      ...named(own),
      TimeCreated: present({ SystemTime: systemTime }),
      Execution: present({ ProcessID: processID, ThreadID: threadID }),
    },
    ...(isObject(eventdata) && { EventData: named(unescaped(eventdata)) }),
    ...userData(others),
    RenderingInfo: present({
      Message: typeof message === 'string' ? unquoted(message) : undefined,
      Level: severityValue,
    }),
  };
}

/** What an event has in place of data stands beside it, under the name of its element. */
function userData(others: JsonObject): JsonObject {
  const elements = Object.entries(others).flatMap(([name, value]) =>
    isObject(value) ? [[capital(name), named(unescaped(value))] as const] : [],
  );
  return elements.length === 0 ? {} : { UserData: Object.fromEntries(elements) };
}

/** Wazuh writes the first letter of each name small. */
function named(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [capital(name), value]));
}

/**
 * Wazuh escapes backslashes and quotes of values once more than JSON asks for. Not all that write its layout do: what
 * has one that stands alone is taken as it is.
 */
function unescaped(data: JsonObject): JsonObject {
  const texts = Object.values(data).filter((value) => typeof value === 'string');
  if (!texts.every((text) => /^(?:[^\\]|\\[\\"])*$/.test(text))) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/\\([\\"])/g, '$1') : value,
    ]),
  );
}

function unquoted(message: string): string {
  return message.length > 1 && message.startsWith('"') && message.endsWith('"') ? message.slice(1, -1) : message;
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

function present(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
