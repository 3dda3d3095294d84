import { isObject, type JsonObject, type JsonValue } from '../json/json-value.ts';

/** Where the records of an export hold what was logged. */
export interface Carrier {
  /** Keys from the record down to it. */
  readonly path: readonly string[];
  /** Whether it is a text, a line of a log as it was written; else it is an object. */
  readonly isText: boolean;
}

interface Kind extends Carrier {
  /** Whether a record that has such a value at the path is of the export. @default it is */
  readonly isOf?: (record: JsonObject) => boolean;
}

const has = (record: JsonObject, ...keys: string[]): boolean => keys.every((key) => Object.hasOwn(record, key));

/** In order: a line as it was written comes before what an index has made of it. */
const kinds: readonly Kind[] = [
  // Splunk: search results in a file, by its API, and in a message of the collector.
  { path: ['result', '_raw'], isText: true },
  { path: ['_raw'], isText: true },
  { path: ['result'], isText: false, isOf: (record) => has(record, 'preview') },
  // Falcon LogScale.
  { path: ['@rawstring'], isText: true },
  // Elasticsearch and OpenSearch: a search's answer, and documents as elasticdump writes them.
  { path: ['_source', 'event', 'original'], isText: true, isOf: ({ _source: source }) => isPlain(source) },
  { path: ['_source', 'message'], isText: true, isOf: ({ _source: source }) => isShippedLine(source) },
  { path: ['_source'], isText: false, isOf: (record) => has(record, '_index') },
  // Elastic's agents, Filebeat, and Logstash in the schema of either.
  { path: ['event', 'original'], isText: true, isOf: isPlain },
  { path: ['message'], isText: true, isOf: isShippedLine },
  // Containers of Docker, and of Kubernetes by way of it.
  { path: ['log'], isText: true, isOf: (record) => has(record, 'stream') },
  // Azure's diagnostic settings and Log Analytics, of a Kubernetes cluster: the event as the API server wrote it.
  { path: ['properties', 'log'], isText: true, isOf: ({ category }) => isKubernetesAudit(category) },
  { path: ['log_s'], isText: true, isOf: ({ Category: category }) => isKubernetesAudit(category) },
  // Amazon CloudWatch Logs: what its commands print, and what a subscription delivers.
  {
    path: ['message'],
    isText: true,
    isOf: ({ timestamp, ...record }) => typeof timestamp === 'number' && isCloud(record),
  },
  // Google Cloud Logging.
  { path: ['textPayload'], isText: true, isOf: (record) => has(record, 'logName') },
  { path: ['jsonPayload', 'message'], isText: true, isOf: (record) => has(record, 'logName') },
  // Wazuh's archives and alerts.
  {
    path: ['full_log'],
    isText: true,
    isOf: ({ data, ...record }) => isWazuh(record) && !(isObject(data) && has(data, 'win')),
  },
  // Loki.
  {
    path: ['line'],
    isText: true,
    isOf: (record) => has(record, 'timestamp') && (has(record, 'labels') || has(record, 'fields')),
  },
];

/** Keys under which such exports have the list of their records. */
export const exportKeys: ReadonlySet<string> = new Set(['results', 'hits', 'events', 'logEvents', 'records']);

/** Columns of tables that hold a line as it was written: Splunk, LogScale, QRadar, CloudWatch. */
const lineColumns = ['_raw', '@rawstring', 'payloadAsUTF', 'UTF8(payload)', 'utf8_payload', '@message'];

/** What a record may carry, the likeliest first; nothing where it is no more than itself. */
export function carriersOf(record: JsonObject): readonly Carrier[] {
  return kinds.filter(({ path, isText, isOf = () => true }) => {
    const value = path.reduce<JsonValue | undefined>((at, key) => (isObject(at) ? at[key] : undefined), record);
    return (isText ? typeof value === 'string' && value !== '' : isObject(value)) && isOf(record);
  });
}

/** The column that holds the line; -1 where there is none. */
export function lineColumnOf(names: readonly string[]): number {
  if (names.length === 2 && names[0] === 'timestamp' && names[1] === 'message') return 1;
  return names.findIndex((name) => lineColumns.some((one) => one.toLowerCase() === name.toLowerCase()));
}

/** Whether the shipper knows the record by no more than its line; Windows events have no line. */
function isPlain(record: JsonValue | undefined): boolean {
  return isObject(record) && !isObject(record.winlog);
}

/** Whether an agent has sent a line that it read, and not what a module made of it. */
function isShippedLine(record: JsonValue | undefined): boolean {
  if (!isObject(record) || isObject(record.winlog) || !has(record, 'agent')) return false;
  const { log, input } = record;
  return (isObject(log) && has(log, 'file')) || (isObject(input) && has(input, 'type'));
}

function isCloud(record: JsonObject): boolean {
  return has(record, 'ingestionTime') || has(record, 'eventId') || has(record, 'id');
}

/** Both of its categories; that of administrators leaves out what only reads. */
function isKubernetesAudit(category: JsonValue | undefined): boolean {
  return category === 'kube-audit' || category === 'kube-audit-admin';
}

function isWazuh(record: JsonObject): boolean {
  return has(record, 'agent') || has(record, 'manager') || has(record, 'decoder');
}
