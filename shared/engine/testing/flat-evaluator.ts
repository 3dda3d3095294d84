import type { Rule } from '../sigma/rule.ts';
import { expressionHolds, type RecordView } from './expression-holds.ts';
import { type Fields, lineFields, mappedFields } from './flat-mappings.ts';
import type { FlatRecord, FlatValue } from './flat-record.ts';
import { anyProductRows, categoryRows, serviceChannels, type WindowsRow } from './windows-rows.ts';

/**
 * Whether a rule holds for a flat record: an oracle that shares with the engine nothing but the
 * compiled expression. Log sources and mappings are written down here a second time, from
 * detection-engine 1.2.
 */
export function holdsFlatly(rule: Rule, record: FlatRecord): boolean {
  const rows = rowsOf(rule).filter((row) => satisfies(record, row));
  const views = new Set(rows.map((row) => (isMapped(row, rule) ? mapped(record) : native(record))));
  return [...views].some((view) => expressionHolds(rule.expression, view));
}

function rowsOf({ logSource: { product, category, service } }: Rule): readonly WindowsRow[] {
  if (category !== undefined) {
    if (product === 'rpc_firewall') return [{ channel: 'Application', provider: 'RPCFW' }];
    if (product !== undefined && product !== 'windows') return [];
    return categoryRows[category] ?? (product === undefined ? anyProductRows[category] : undefined) ?? [];
  }
  if (product !== undefined && product !== 'windows') return [];
  if (service !== undefined) return (serviceChannels[service] ?? []).map((channel) => ({ channel }));
  return product === undefined ? [] : [{ channel: '*' }];
}

function same(one: string, other = ''): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function satisfies({ channel, provider, eventId, data }: FlatRecord, row: WindowsRow): boolean {
  const isSysmon = row.channel.includes('Sysmon');
  const isKernel = row.provider === 'Microsoft-Windows-Kernel-File';
  const byProvider = same(provider, row.provider) || (isSysmon && same(provider, 'Microsoft-Windows-Sysmon'));
  const inChannel = row.channel === '*' || same(channel, row.channel);
  const bySource = isKernel
    ? byProvider
    : row.provider === 'RPCFW'
      ? inChannel && byProvider
      : inChannel || (isSysmon && byProvider);
  const asked = Object.entries(row.data ?? {}).every(([name, value]) => same(String(data[name]), value));
  return bySource && asked && (row.ids === undefined || isKernel || row.ids.includes(eventId));
}

function isMapped({ channel, provider }: WindowsRow, { logSource: { category } }: Rule): boolean {
  if (category === undefined) return false;
  return channel === 'Security' || category === 'antivirus' || (category === 'dns' && provider !== undefined);
}

const views = new WeakMap<FlatRecord, { native?: RecordView; mapped?: RecordView }>();

function native(record: FlatRecord): RecordView {
  const known = views.get(record) ?? {};
  views.set(record, known);
  return (known.native ??= viewOf(record, {}, lineFields(record)));
}

function mapped(record: FlatRecord): RecordView {
  const known = views.get(record) ?? {};
  views.set(record, known);
  return (known.mapped ??= viewOf(record, mappedFields(record), lineFields(record)));
}

const aliases: Fields = {
  eventlog: 'Channel',
  computername: 'Computer',
  hostname: 'Computer',
  source: 'Provider_Name',
  systemtime: 'TimeCreated_SystemTime',
};

function letters(name: string): string {
  return name.toLowerCase().replace(/[ _]/g, '');
}

function viewOf(record: FlatRecord, first: Fields, last: Fields): RecordView {
  const { data, system } = record;
  const isClassic = record.channel.toLowerCase() === 'windows powershell';
  const own = (field: string): FlatValue | undefined => {
    if (field.toLowerCase() === 'eventid') return record.eventId;
    const spellings = [field, field.replaceAll('_', ' ')];
    const exact = spellings.find((name) => Object.hasOwn(data, name));
    if (exact !== undefined) return data[exact];
    const close =
      Object.keys(data).find((name) => name.toLowerCase() === field.toLowerCase()) ??
      Object.keys(data).find((name) => name.includes(' ') && letters(name) === letters(field));
    if (close !== undefined) return data[close];
    const named = Object.keys(system).find((name) => name.toLowerCase() === field.toLowerCase());
    const meant = named ?? (isClassic && field === 'HostName' ? undefined : aliases[field.toLowerCase()]);
    return meant === undefined ? undefined : system[meant];
  };
  const valueOf = (field: string): FlatValue | undefined =>
    first[field.toLowerCase()] ?? own(field) ?? last[field.toLowerCase()];
  return {
    isNull: (field) => (valueOf(field) ?? null) === null,
    texts(field) {
      const value = valueOf(field);
      if (value === undefined) return null;
      const texts = [value].flat().map((one) => String(one ?? ''));
      return field === 'Data' && isClassic ? [texts.join('\n')] : texts;
    },
    keywords: () =>
      Object.values(data)
        .flat()
        .filter((value) => typeof value === 'string'),
  };
}
