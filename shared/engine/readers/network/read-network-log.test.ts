import { describe, expect, it } from 'vitest';
import { freshTables, readAll } from '../../testing/index.ts';
import { readNetworkLog } from './read-network-log.ts';

const lines: { what: string; line: string; flat: Record<string, string>; source: string }[] = [
  {
    what: 'FortiOS',
    line: 'date=2024-01-02 time=03:04:05 devname="fw 1" logid="0100032001" type="event" tz="+0100" action="Add" cfgpath="system.admin" msg="say \\"a\\" b" srcip=192.0.2.1',
    flat: { devname: 'fw 1', action: 'Add', cfgpath: 'system.admin', msg: 'say "a" b', src_ip: '192.0.2.1' },
    source: 'fortigate/event',
  },
  {
    what: 'CEF',
    line: 'CEF:0|Ve\\|ndor|Prod|1.0|100|na\\|me|5|src=192.0.2.1 dst=192.0.2.2 msg=a\\=b and c dpt=443 act=blocked',
    flat: {
      'cef.vendor': 'Ve|ndor',
      'cef.name': 'na|me',
      'cef.severity': '5',
      src_ip: '192.0.2.1',
      dst_port: '443',
      msg: 'a=b and c',
      blocked: 'true',
    },
    source: 'firewall',
  },
  {
    what: 'CEF behind a syslog header',
    line: '<14>host CEF:0|Palo Alto Networks|PAN-OS|1|TRAFFIC|end|3|src=192.0.2.1',
    flat: { 'cef.product': 'PAN-OS', 'source.ip': '192.0.2.1' },
    source: 'paloalto/appliance/globalprotect',
  },
  {
    what: 'LEEF 1',
    line: 'LEEF:1.0|V|P|1|id|src=192.0.2.1\tusrName=bob b\tact=Allow',
    flat: { 'leef.id': 'id', src_ip: '192.0.2.1', username: 'bob b', blocked: 'false' },
    source: 'firewall',
  },
  {
    what: 'LEEF 2 with its separator',
    line: 'LEEF:2.0|V|P|1|id|^|src=192.0.2.1^dst=192.0.2.2',
    flat: { src_ip: '192.0.2.1', dst_ip: '192.0.2.2' },
    source: 'firewall',
  },
  {
    what: 'LEEF 2 with a separator in hexadecimal',
    line: 'LEEF:2.0|V|P|1|id|x7C|src=192.0.2.1|dst=192.0.2.2',
    flat: { src_ip: '192.0.2.1', dst_ip: '192.0.2.2' },
    source: 'firewall',
  },
  {
    what: 'Cisco',
    line: '192.0.2.1 6705: Feb 17 13:40:03.673: %PARSER-5-CFGLOG_LOGGEDCMD: User:x  logged command:no y',
    flat: { mnemonic: 'PARSER-5-CFGLOG_LOGGEDCMD', message: '%PARSER-5-CFGLOG_LOGGEDCMD: User:x  logged command:no y' },
    source: 'cisco/aaa',
  },
  {
    what: 'vsftpd',
    line: 'Mon Jun  6 18:43:32 2016 [pid 1] [jean] OK LOGIN: Client "192.0.2.1"',
    flat: { message: '[jean] OK LOGIN: Client "192.0.2.1"' },
    source: 'linux/vsftpd',
  },
  {
    what: 'FortiOS within CEF',
    line: 'CEF:0|Fortinet|Fortigate|v7.2|44547|event:system|2|FTNTFGTlogid=0100044547 FTNTFGTcfgpath=system.admin act=Add',
    flat: { logid: '0100044547', cfgpath: 'system.admin', action: 'Add' },
    source: 'fortigate/event',
  },
  {
    what: 'a connection of PAN-OS',
    line: '1,2026/03/04 08:15:01,0123,TRAFFIC,end,2562,2026/03/04 08:15:00,192.0.2.1,192.0.2.2,0.0.0.0,0.0.0.0,rule,corp\\a,,ssl,vsys1,in,out,e1,e2,log,,7,1,5000,443,0,0,0x0,tcp,deny',
    flat: { type: 'TRAFFIC', src_ip: '192.0.2.1', dst_port: '443', rule: 'rule', username: 'corp\\a', blocked: 'true' },
    source: 'firewall',
  },
  {
    what: 'an event of PAN-OS’ own',
    line: '<14>1,2026/03/04 08:15:01,0123,SYSTEM,auth,2562,2026/03/04 08:15:00,,auth-fail,obj,0,0,general,medium,"failed for ""a"", twice"',
    flat: { event_id: 'auth-fail', severity: 'medium' },
    source: 'firewall',
  },
];

describe('readNetworkLog', () => {
  it.each(lines)('$what', async ({ line, flat, source }) => {
    const tables = freshTables();
    const fields = Object.keys(flat).map((name) => [name, tables.fields.id(name)] as const);
    const found: Record<string, string> = {};
    const sources: string[] = [];
    const { report } = await readAll(
      readNetworkLog,
      line,
      (event) => {
        for (const [name, field] of fields) found[name] = event.values.text(event.value(field));
        for (const { product, category, service } of event.route.facts)
          sources.push([product, category, service].filter((part) => part !== undefined).join('/'));
      },
      { tables },
    );
    expect(report).toEqual({ records: 1, problems: [] });
    expect(found).toEqual(flat);
    expect(sources).toContain(source);
  });

  it('reads the log of the Windows firewall', async () => {
    const { report, heads, records } = await readAll(
      readNetworkLog,
      '#Version: 1.5\n#Fields: date time action protocol src-ip dst-ip src-port dst-port\n2005-04-11 08:05:57 DROP UDP 192.0.2.1 192.0.2.2 137 -\n',
    );
    expect(report).toEqual({ records: 1, problems: [] });
    expect(heads[0]).toMatchObject({ timestamp: '2005-04-11T08:05:57Z', computer: '192.0.2.1', eventId: 'DROP' });
    expect(records[0]).not.toHaveProperty('dst-port');
  });

  it('gives all values of a name that a header repeats, in time that grows with them', async () => {
    const texts = Array.from({ length: 8000 }, (_, i) => String(i));
    const head = `#Version: 1.5\n#Fields: date time action protocol src-ip dst-ip${' s'.repeat(texts.length)}`;
    const before = process.cpuUsage();
    const { records } = await readAll(
      readNetworkLog,
      `${head}\n2005-04-11 08:05:57 DROP UDP 192.0.2.1 192.0.2.2 ${texts.join(' ')}\n`,
    );
    expect(records).toMatchObject([{ action: 'DROP', s: texts }]);
    // Copied for each further one, they would take more than one.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1);
  });

  it('says when, in UTC', async () => {
    const { heads } = await readAll(readNetworkLog, [lines[0]!.line, lines[7]!.line].join('\n'));
    expect(heads.map((head) => head.timestamp)).toEqual(['2024-01-02T02:04:05Z', '2016-06-06T18:43:32Z']);
  });

  it('finds what stands behind bytes that are no UTF-8', async () => {
    const line = Buffer.from('h\xff\xfe\xff 67: Feb 17 13:40:03.673: %SEC-6-X: y', 'latin1');
    const { records, report } = await readAll(readNetworkLog, line);
    expect(report).toEqual({ records: 1, problems: [] });
    expect(records[0]).toMatchObject({ time: 'Feb 17 13:40:03', mnemonic: 'SEC-6-X', message: '%SEC-6-X: y' });
  });

  it('counts lines without pairs', async () => {
    expect((await readAll(readNetworkLog, 'hello\na=b c=d\nCEF:0|x|y\n')).report).toMatchObject({
      records: 1,
      problems: [{ code: 'record-malformed', count: 2 }],
    });
  });
});
