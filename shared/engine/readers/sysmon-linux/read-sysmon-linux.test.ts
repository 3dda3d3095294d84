import { describe, expect, it } from 'vitest';
import { lookUp } from '../../testing/look-up.ts';
import { matching, ruleOf } from '../../testing/rule-check.ts';
import { readAll } from '../../testing/read-all.ts';
import { readSysmonLinux } from './read-sysmon-linux.ts';

const head = 'May 11 18:10:20 ubuntu5 sysmon: ';

function event(id: number, ...data: readonly [string, string][]): string {
  const values = data.map(([name, value]) => `<Data Name="${name}">${value}</Data>`).join('');
  return (
    `<Event><System><Provider Name="Linux-Sysmon" Guid="{ff032593-a8d3-4f13-b0d6-01fc615a0f97}"/><EventID>${id}</EventID>` +
    `<TimeCreated SystemTime="2022-05-11T18:10:20.399931000Z"/><EventRecordID>245753</EventRecordID>` +
    `<Channel>Linux-Sysmon/Operational</Channel><Computer>UBUNTU5</Computer></System><EventData>${values}</EventData></Event>`
  );
}

const started = event(1, ['Image', '/bin/sh'], ['CommandLine', 'sh -c &quot;id&quot;'], ['Hashes', 'SHA256=AB']);

describe('Sysmon for Linux', () => {
  it('is the events in messages of the system log, and its other messages', async () => {
    const log = `${head}${started}\r\nMay 11 18:10:21 ubuntu5 sshd[1]: Server listening\n${head}${event(5)}`;
    const { report, heads, records } = await readAll(readSysmonLinux, log);
    expect(report).toEqual({ records: 3, problems: [] });
    expect(heads[0]).toEqual({
      recordId: '245753',
      timestamp: '2022-05-11T18:10:20.399931000Z',
      computer: 'UBUNTU5',
      channel: 'Linux-Sysmon/Operational',
      eventId: '1',
    });
    expect(records[0]).toMatchObject({ Image: '/bin/sh', CommandLine: 'sh -c "id"', _offset: 0 });
    expect(records[1]).toMatchObject({ program: 'sshd', message: 'Server listening' });
  });

  it('may stand in rows of Sentinel', async () => {
    const rows = [started, 'plain text'].map((SyslogMessage) =>
      JSON.stringify({ EventTime: '2022-05-11T18:10:20Z', HostName: 'UBUNTU5', ProcessName: 'sysmon', SyslogMessage }),
    );
    const { report, records, heads } = await readAll(readSysmonLinux, rows.join('\n'));
    expect(report).toEqual({ records: 2, problems: [] });
    expect(records).toMatchObject([{ CommandLine: 'sh -c "id"' }, { program: 'sysmon', message: 'plain text' }]);
    expect(heads[1]).toMatchObject({ timestamp: '2022-05-11T18:10:20Z', computer: 'UBUNTU5' });
  });

  it('is read as far as it goes where the system log has cut it', async () => {
    const places = [
      ['Hashes">SHA', { Image: '/bin/sh', CommandLine: 'sh -c "id"', Hashes: 'SHA' }],
      ['<Data Name="Ha', { Image: '/bin/sh', CommandLine: 'sh -c "id"' }],
      ['</Data></Ev', { Image: '/bin/sh', Hashes: 'SHA256=AB' }],
    ] as const;
    for (const [end, expected] of places) {
      const cut = started.slice(0, started.indexOf(end) + end.length);
      const { records, report } = await readAll(readSysmonLinux, `${head}${cut}\n${head}${event(5)}`);
      expect(records[0]).toMatchObject(expected);
      expect(report).toMatchObject({ records: 2, problems: [{ code: 'record-cut', count: 1 }] });
    }
  });

  it('is a message where it is not well-formed', async () => {
    const { records, report } = await readAll(readSysmonLinux, `${head}<Event><System></Data></Event>`);
    expect(records[0]).toMatchObject({ program: 'sysmon' });
    expect(report).toMatchObject({ records: 1, problems: [{ code: 'record-malformed', count: 1 }] });
  });

  it('has no facts of Windows', async () => {
    const [seen] = await lookUp(readSysmonLinux, head + started, ['Image', 'eventid']);
    expect(seen!.fields).toEqual({ Image: '/bin/sh', eventid: '1' });
  });

  it.each([
    ['{product: linux, category: process_creation}', 1, true],
    ['{product: linux}', 1, true],
    ['{product: linux, service: sysmon}', 1, true],
    ['{product: linux, category: process_creation}', 5, false],
    ['{product: linux, category: network_connection}', 3, true],
    ['{product: linux, category: file_event}', 11, true],
    ['{product: linux, service: auditd}', 1, false],
    ['{product: linux, service: syslog}', 1, false],
    ['{product: windows}', 1, false],
    ['{product: windows, category: process_creation}', 1, false],
    ['{category: process_creation}', 1, true],
  ])('%s sees event %i: %s', (source, eventId, expected) => {
    const record = { channel: 'Linux-Sysmon/Operational', provider: 'Linux-Sysmon', eventId, data: { Image: 'x' } };
    expect(matching(ruleOf('a:\n  Image: x\ncondition: a', source), record)).toEqual([expected]);
  });

  it('has parts of hashes, as on Windows', () => {
    const record = { provider: 'Linux-Sysmon', eventId: 1, data: { Hashes: 'SHA256=AB,MD5=CD' } };
    expect(matching(ruleOf('a:\n  md5: cd\ncondition: a', '{product: linux}'), record)).toEqual([true]);
  });
});
