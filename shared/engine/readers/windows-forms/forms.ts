import { rawXmlForm, tableForm } from '../log-analytics/windows-table.ts';
import { isTree, type JsonTree } from '../json/json-tree.ts';
import { isObject, type JsonObject } from '../json/json-value.ts';
import { atAttributesForm } from './at-attributes.ts';
import { eventLogForm } from './event-log.ts';
import { evtxECmdForm } from './evtxecmd.ts';
import { splunkForm } from './splunk-event.ts';
import { wazuhForm } from './wazuh.ts';
import { winEventForm } from './win-event.ts';
import type { WindowsForm } from './windows-form.ts';

/** Every form but the event's own; the first that a record is in counts. */
const forms: readonly WindowsForm[] = [
  wazuhForm,
  evtxECmdForm,
  winEventForm,
  eventLogForm,
  splunkForm,
  tableForm,
  rawXmlForm,
  atAttributesForm,
];

/** Takes an event, in a layout of json_evtx, out of a record that holds it in another form. */
export type EventOf = (record: JsonObject) => JsonObject;

/**
 * How to take the event out of such a record, and of all that have its keys; undefined for other records.
 * Elasticsearch gives documents out with their content in `_source`.
 */
export function windowsEventOf(record: JsonTree): EventOf | undefined {
  const { _source: document } = record;
  const source = isTree(document) ? document : record;
  const form = forms.find((one) => one.holds(source));
  if (form === undefined) return undefined;
  return (given) => {
    const { _source: content } = given;
    return form.eventIn(isObject(content) ? content : given);
  };
}
