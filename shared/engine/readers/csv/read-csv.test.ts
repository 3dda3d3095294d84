import { describe, expect, it } from 'vitest';
import { readAll } from '../../testing/index.ts';
import { readCsv } from './read-csv.ts';

const tables: { what: string; text: string; rows: object[] }[] = [
  {
    what: 'commas',
    text: 'a,b\r\n1,2\r\n3,4',
    rows: [
      { a: '1', b: '2' },
      { a: '3', b: '4' },
    ],
  },
  { what: 'semicolons, with a mark', text: '\uFEFF"a b";c\n"1;""x""";2\n', rows: [{ 'a b': '1;"x"', c: '2' }] },
  { what: 'tabs', text: 'a\tb\n1, 2\t3\n', rows: [{ a: '1, 2', b: '3' }] },
  {
    what: 'line breaks in quotes',
    text: 'a,b\n"x\r\ny\n",1\n2,"z"\n',
    rows: [
      { a: 'x\r\ny\n', b: '1' },
      { a: '2', b: 'z' },
    ],
  },
  {
    what: 'quotes within',
    text: 'a,b\n5" disk,x "y"\n1,2',
    rows: [
      { a: '5" disk', b: 'x "y"' },
      { a: '1', b: '2' },
    ],
  },
  { what: 'empty and missing fields', text: 'a,b,c\n,,3\n1,2\n\n', rows: [{ c: '3' }, { a: '1', b: '2' }] },
  { what: 'more fields than names', text: 'a,b\n1,2,3', rows: [{ a: '1', b: '2' }] },
  { what: 'after a type line', text: '#TYPE x.y\n"a","b"\n"1","2"', rows: [{ a: '1', b: '2' }] },
];

const payload = JSON.stringify({
  EventData: {
    Data: [
      { '@Name': 'Image', '#text': 'C:\\a "b".exe' },
      { '@Name': 'ProcessId', '#text': '7' },
    ],
  },
}).replaceAll('"', '""');

describe('readCsv', () => {
  it.each(tables)('$what', async ({ text, rows }) => {
    const { report, records } = await readAll(readCsv, text);
    expect(report).toEqual({ records: rows.length, problems: [] });
    expect(records.map(({ _offset, ...rest }) => rest)).toEqual(rows);
  });

  it('makes Windows events of flat rows', async () => {
    const { heads, records } = await readAll(
      readCsv,
      'EventID,Channel,Provider_Name,Computer,SystemTime,EventRecordID,Image,User\n1,C,P,W,2024-01-02T03:04:05Z,9,x.exe,\n',
      (event) => expect(event.route).toMatchObject({ product: 'windows', channel: 'C', provider: 'P', eventId: '1' }),
    );
    expect(heads[0]).toEqual({
      recordId: '9',
      timestamp: '2024-01-02T03:04:05Z',
      computer: 'W',
      channel: 'C',
      eventId: '1',
    });
    expect(records[0]).not.toHaveProperty('User');
  });

  it("opens EvtxECmd's payload", async () => {
    const { heads, records } = await readAll(
      readCsv,
      `RecordNumber,EventRecordId,TimeCreated,EventId,Level,Provider,Channel,ProcessId,Computer,MapDescription,UserName,Payload\n1,5,2024-01-02 03:04:05.1234567,1,Info,P,C,99,W,m,u,"${payload}"\n`,
    );
    expect(heads[0]).toMatchObject({ recordId: '5', timestamp: '2024-01-02T03:04:05.1234567Z', computer: 'W' });
    expect(records[0]).toMatchObject({
      Image: 'C:\\a "b".exe',
      ProcessId: '7',
      Execution_ProcessID: '99',
      EventID: '1',
    });
    expect(records[0]).not.toHaveProperty('UserName');
  });

  it('opens the audit record of an export', async () => {
    const data = JSON.stringify({ Workload: 'Exchange', Operation: 'New-InboxRule', UserId: 'u' }).replaceAll(
      '"',
      '""',
    );
    const { records } = await readAll(
      readCsv,
      `CreationDate,AuditData\n2024-01-02,"${data}"\n2024-01-02,x\n`,
      (event) => expect(event.route.facts).toContainEqual({ product: 'm365', service: 'exchange' }),
    );
    expect(records).toMatchObject([{ Operation: 'New-InboxRule' }]);
  });

  it.each([
    [
      'message tracking',
      '#Software: Microsoft Exchange Server\r\n#Log-type: Message Tracking Log\r\n' +
        '#Fields: date-time,client-ip,server-hostname,source-context,event-id,message-id,recipient-address\r\n' +
        '2026-03-04T08:15:00.123Z,192.0.2.1,ex1,"a, b",RECEIVE,<m>,a@b.example\r\n',
      { product: 'exchange', service: 'messagetracking' },
      { 'source-context': 'a, b', 'event-id': 'RECEIVE' },
    ],
    [
      'requests',
      'DateTime,RequestId,Method,UrlHost,UrlStem,UrlQuery,ClientIpAddress,HttpStatus\r\n' +
        '#Software: Microsoft Exchange Server\r\n#Log-type: HttpProxy Logs\r\n' +
        '2026-03-04T08:15:00.123Z,r,GET,mail.example,/autodiscover/autodiscover.json,?a@b.example/powershell,192.0.2.1,200\r\n',
      { category: 'webserver' },
      { UrlStem: '/autodiscover/autodiscover.json' },
    ],
  ])('reads Exchange’s %s', async (_, text, facts, values) => {
    const { records, heads, report } = await readAll(readCsv, text, (event) =>
      expect(event.route.facts).toContainEqual(facts),
    );
    expect(records).toEqual([expect.objectContaining(values)]);
    expect(heads[0]!.timestamp).toBe('2026-03-04T08:15:00.123Z');
    expect(report.problems).toEqual([]);
  });

  it('counts a quote that never closes, and reads on', async () => {
    const text = `a,b\n1,2\n"x,3\n${'y,z\n'.repeat(300_000)}4,5\n`;
    const { report } = await readAll(readCsv, text);
    expect(report.problems).toMatchObject([{ code: 'record-malformed', count: 1, offset: 8 }]);
    expect(report.records).toBeGreaterThan(1000);
    expect((await readAll(readCsv, 'a,b\n1,2\n"x,3\n')).report).toMatchObject({
      records: 1,
      problems: [{ code: 'record-unfinished' }],
    });
  });
});
