import { isObject, type JsonObject } from '../json/json-value.ts';
import { everyDataName } from './data-names.ts';
import { textOf } from './win-event.ts';

/** Whether data belongs to the kind of event, and its form tells none of it by name (decision 138). */
export function isDataUntold({ System: head, EventData: data }: JsonObject): boolean {
  if (!isObject(head) || !isObject(data) || Object.keys(data).some((name) => name !== 'Data')) return false;
  const { Provider: provider, EventID: id } = head;
  return isObject(provider) && everyDataName(textOf(provider.Name), textOf(id)).length > 0;
}
