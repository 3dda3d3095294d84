import { describe, expect, it } from 'vitest';
import type { FakeRecord } from '../testing/fake-event.ts';
import { matching, ruleOf } from '../testing/rule-check.ts';
import { anyProductRows, categoryRows, serviceChannels, type WindowsRow } from '../testing/windows-rows.ts';

const anything = 'none: {Impossible: x}\ncondition: not none';

/** Whether any record at all of this kind reaches a rule of the log source. */
function reaches(logSource: string, record: FakeRecord): boolean {
  return matching(ruleOf(anything, logSource), record)[0]!;
}

function recordOf({ channel, provider = 'Provider', data }: WindowsRow, eventId: number): FakeRecord {
  return { channel, provider, eventId, ...(data && { data }) };
}

const sysmonIds = [...Array.from({ length: 29 }, (_, at) => at + 1), 255];

describe('categories (1.2.1)', () => {
  const rows = Object.entries(categoryRows).flatMap(([category, list]) =>
    list.flatMap((row) => row.ids!.map((id) => [category, id, row] as const)),
  );

  it.each(rows)('%s takes event %i of its row', (category, id, row) => {
    const record = recordOf(row, id);
    for (const source of [`{product: windows, category: ${category}}`, `{category: ${category}}`]) {
      expect(reaches(source, record)).toBe(true);
      expect(reaches(source, { ...record, channel: row.channel.toUpperCase() })).toBe(true);
    }
    expect(reaches(`{product: linux, category: ${category}}`, record)).toBe(false);
    expect(reaches(`{product: windows, category: ${category}, service: x}`, record)).toBe(false);
  });

  const others = [...sysmonIds, 30, 400, 600, 800, 4103, 4104, 4656, 4657, 4658, 4688, 4689, 5156];
  const kinds = new Map(rows.map(([, , row]) => [`${row.channel} ${JSON.stringify(row.data)}`, row]));

  it.each([...kinds.values()])('of $channel with $data no other takes any event', (row) => {
    const all = Object.keys(categoryRows);
    const rules = all.map((category) => ruleOf(anything, `{product: windows, category: ${category}}`)).join('---\n');
    for (const id of others) {
      const isMeant = (one: WindowsRow): boolean =>
        one.channel === row.channel &&
        (one.ids!.includes(id) || one.provider === 'Microsoft-Windows-Kernel-File') &&
        (one.data === undefined || JSON.stringify(one.data) === JSON.stringify(row.data));
      const expected = all.filter((category) => categoryRows[category]!.some(isMeant));
      const taken = matching(rules, recordOf(row, id));
      expect([id, all.filter((_, at) => taken[at])]).toEqual([id, expected]);
    }
    const elsewhere = { ...recordOf(row, row.ids![0]!), channel: 'Application', provider: 'Provider' };
    expect(matching(rules, elsewhere)).not.toContain(true);
  });

  it.each(rows.filter(([, , { channel }]) => channel.includes('Sysmon')))(
    '%s takes Sysmon’s %i by its provider, where it was forwarded',
    (category, id, row) => {
      const source = `{product: windows, category: ${category}}`;
      expect(reaches(source, { ...recordOf(row, id), channel: 'ForwardedEvents' })).toBe(true);
      expect(reaches(source, { ...recordOf(row, id), channel: 'ForwardedEvents', provider: 'Other' })).toBe(false);
      expect(reaches(source, { ...recordOf(row, id), provider: 'Other' })).toBe(true);
      expect(reaches(`{product: windows, category: ${category}, service: sysmon}`, recordOf(row, id))).toBe(true);
    },
  );

  it.each([
    ['registry_add', { EventType: 'DeleteKey' }],
    ['registry_add', {}],
    ['registry_delete', { EventType: 'CreateKey' }],
    ['registry_delete', {}],
  ])('%s takes Sysmon 12 by its EventType only, not with %j', (category, data) => {
    const record = { ...recordOf(categoryRows.registry_event![0]!, 12), data };
    expect(reaches(`{product: windows, category: ${category}}`, record)).toBe(false);
    expect(reaches('{product: windows, category: registry_event}', record)).toBe(true);
  });

  it.each([
    ['registry_add', '%%1904'],
    ['registry_set', '%%1905'],
    ['registry_delete', '%%1906'],
  ])('%s takes Security 4657 of operation %s only', (category, operation) => {
    for (const OperationType of ['%%1904', '%%1905', '%%1906', '-']) {
      const record = { channel: 'Security', eventId: 4657, data: { OperationType } };
      expect(reaches(`{product: windows, category: ${category}}`, record)).toBe(OperationType === operation);
      expect(reaches('{product: windows, category: registry_event}', record)).toBe(true);
    }
  });

  it('file_access and file_rename take the kernel’s provider in any channel', () => {
    const provider = 'Microsoft-Windows-Kernel-File';
    for (const category of ['file_access', 'file_rename']) {
      expect(reaches(`{product: windows, category: ${category}}`, { channel: 'Any', provider, eventId: 15 })).toBe(
        true,
      );
      expect(reaches(`{product: windows, category: ${category}}`, { channel: 'Security', eventId: 4663 })).toBe(false);
    }
  });

  it('keep an EventID of the rule’s own as a condition', () => {
    const rule = (id: number): string =>
      ruleOf(`s: {EventID: ${id}}\ncondition: s`, '{product: windows, category: registry_event}');
    const record = recordOf(categoryRows.registry_event![0]!, 13);
    expect(matching(rule(13), record)).toEqual([true]);
    expect(matching(rule(12), record)).toEqual([false]);
  });
});

describe('services (1.2.2)', () => {
  const rows = Object.entries(serviceChannels).flatMap(([service, channels]) =>
    channels.map((channel) => [service, channel] as const),
  );

  it.each(rows)('%s takes %s', (service, channel) => {
    const record = { channel, provider: 'Provider', eventId: 7 };
    expect(reaches(`{product: windows, service: ${service}}`, record)).toBe(true);
    expect(reaches(`{service: ${service.toUpperCase()}}`, record)).toBe(true);
    expect(reaches(`{product: windows, service: ${service}}`, { ...record, channel: channel.toLowerCase() })).toBe(
      true,
    );
    expect(reaches(`{product: linux, service: ${service}}`, record)).toBe(false);
    const all = Object.keys(serviceChannels);
    const rules = all.map((one) => ruleOf(anything, `{product: windows, service: ${one}}`)).join('---\n');
    const taken = matching(rules, record);
    // Two names of one service; the table lists the channels under the first.
    const known = (one: string): string => one.replace(/^servicebus/, 'microsoft-servicebus');
    const expected = all.filter((one) => serviceChannels[known(one)]!.includes(channel));
    expect(all.filter((_, at) => taken[at])).toEqual(expected);
  });

  it('sysmon takes the provider in any channel', () => {
    const forwarded = { channel: 'ForwardedEvents', provider: 'Microsoft-Windows-Sysmon', eventId: 1 };
    expect(reaches('{product: windows, service: sysmon}', forwarded)).toBe(true);
    expect(reaches('{product: windows, service: security}', forwarded)).toBe(false);
  });

  it('stated beside the category, both must agree', () => {
    const script = { channel: 'PowerShellCore/Operational', eventId: 4104 };
    expect(reaches('{product: windows, category: ps_script, service: powershell}', script)).toBe(true);
    expect(reaches('{product: windows, category: ps_script, service: powershell-classic}', script)).toBe(false);
    const started = { channel: 'Windows PowerShell', eventId: 400 };
    expect(reaches('{product: windows, category: ps_classic_start, service: powershell-classic}', started)).toBe(true);
  });
});

describe('other log sources', () => {
  it.each(
    Object.entries(anyProductRows).flatMap(([category, [row]]) => row!.ids!.map((id) => [category, id, row!] as const)),
  )('%s takes event %i', (category, id, row) => {
    expect(reaches(`{category: ${category}}`, recordOf(row, id))).toBe(true);
    expect(reaches(`{category: ${category}}`, { ...recordOf(row, id), channel: 'Other', provider: 'Other' })).toBe(
      false,
    );
    expect(reaches(`{category: ${category}}`, recordOf(row, 5001))).toBe(false);
  });

  it('product windows alone takes every Windows event, any other product none', () => {
    const record = { channel: 'Whatever', eventId: 1 };
    expect(reaches('{product: windows}', record)).toBe(true);
    expect(reaches('{product: Windows}', record)).toBe(true);
    expect(reaches('{product: linux}', record)).toBe(false);
    expect(reaches('{service: whatever}', record)).toBe(false);
    expect(reaches('{category: whatever}', record)).toBe(false);
  });

  it('takes rpc_firewall from its provider’s records in Application', () => {
    const source = '{product: rpc_firewall, category: application}';
    expect(reaches(source, { channel: 'Application', provider: 'RPCFW', eventId: 3 })).toBe(true);
    expect(reaches(source, { channel: 'Application', provider: 'Other', eventId: 3 })).toBe(false);
    expect(reaches(source, { channel: 'System', provider: 'RPCFW', eventId: 3 })).toBe(false);
  });
});
