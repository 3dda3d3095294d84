import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { detectLogType, type LogType } from '@svc/engine';
import { type EvtxEvent, writeEvtx } from '@svc/engine/testing';
import { shortened } from './evtx.ts';

/** Seeds are that short, so that thousands of inputs are read per second. */
const textBytes = 500;
const chunkBytes = 3500;
const shared = '../shared/data';

const objects = (type: string): string =>
  [
    `{"eventSource":"s3.amazonaws.com","eventName":"GetObject","awsRegion":"r","userIdentity":{"type":"Root"},"list":[{"a":"ä"},null,[1,2.5]]}`,
    `{"eventSource":"iam.amazonaws.com","eventName":"CreateUser","awsRegion":"r","requestParameters":{"userName":"${type}"}}`,
  ].join('\n');

/** A few records of every kind of log, in the layouts that the readers tell apart. */
const texts: readonly string[] = [
  '{"Event":{"System":{"Provider":{"#attributes":{"Name":"Microsoft-Windows-Sysmon"}},"EventID":1,"Channel":"Microsoft-Windows-Sysmon/Operational","Computer":"W","EventRecordID":5,"TimeCreated":{"#attributes":{"SystemTime":"2024-01-02T03:04:05.678Z"}}},"EventData":{"Image":"C:\\\\a.exe","CommandLine":"a -enc x","List":["x",{"y":[1]}]}}}\n{"Event":{"System":{"EventID":{"#attributes":{"Qualifiers":1},"#text":104},"Channel":"System"},"UserData":{"X":{"Y":"ä"}}}}',
  '[{"Event":{"System":{"EventID":4688,"Channel":"Security"},"EventData":{"Data":[{"@Name":"NewProcessName","#text":"C:\\\\b.exe"}]}}},\n {"EventID":4624,"Channel":"Security","TargetUserName":"u","SubjectUserName":"u"}]',
  '{"EventID":1,"Channel":"Microsoft-Windows-Sysmon/Operational","Hostname":"h","Image":"C:\\\\x.exe","@timestamp":"2024-01-02T03:04:05.678Z","EventTime":"2024-01-02 03:04:05"}',
  '{"@timestamp":"2024-01-02T03:04:05.678Z","winlog":{"channel":"Security","event_id":4688,"provider_name":"P","computer_name":"c","event_data":{"NewProcessName":"C:\\\\a.exe","param1":"x"},"user":{"name":"u"}},"host":{"name":"h"},"message":"m\\nn"}',
  "<?xml version=\"1.0\"?><Events><Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><Provider Name='P' Guid='{00000000-0000-0000-0000-000000000001}'/><EventID Qualifiers='1'>4688</EventID><TimeCreated SystemTime='2024-01-02T03:04:05.1234567Z'/><EventRecordID>7</EventRecordID><Channel>Security</Channel><Computer>W</Computer></System><EventData Name='N'><!-- c --><Data Name='NewProcessName'>C:\\a.exe&amp;&#x41;</Data><Data><![CDATA[<x>]]></Data></EventData><RenderingInfo Culture='en'><Message>m</Message></RenderingInfo></Event>\n<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System><EventID>1</EventID></System><UserData><A xmlns='x'><B>1</B></A></UserData></Event></Events>",
  'type=SYSCALL msg=audit(1700000010.123:42): arch=c000003e syscall=59 success=yes a0=1 a1=2 exe="/bin/sh" key="k"\x1dUID="root"\ntype=EXECVE msg=audit(1700000010.123:42): argc=3 a0="sh" a1="-c" a2=6C73202D6C\ntype=PATH msg=audit(1700000010.123:42): item=0 name="/tmp/x" nametype=CREATE\ntype=SOCKADDR msg=audit(1700000011.000:43): saddr=02000050A9FEA9FE0000000000000000\ntype=USER_CMD msg=audit(1700000012.000:44): pid=1 msg=\'cwd="/" cmd="true" res=success\'',
  'Mar  1 10:00:01 host sudo[12]: alice : TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/ls -l\nMar  1 10:00:02 host sshd[13]: Failed password for invalid user bob from 192.0.2.1 port 22 ssh2\nMar  1 10:00:03 host last message repeated 3 times\n\tcontinued',
  '<34>1 2023-03-01T10:00:01.5Z host app 12 ID47 [x@1 a="b\\"c" d="e"] \uFEFFtext\n<13>Oct 11 22:14:15 h su: x\n2023-03-01T10:00:01.500000+02:00 h cron[1]: (root) CMD (run)',
  '__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP=1680419200060134\n_HOSTNAME=h\n_COMM=sshd\nMESSAGE\n\x03\0\0\0\0\0\0\0a\nb\nPRIORITY=6\n\n__CURSOR=s=2\n__REALTIME_TIMESTAMP=1680419200060135\nMESSAGE=x\n',
  '{"__REALTIME_TIMESTAMP":"1680419200060134","_HOSTNAME":"h","SYSLOG_IDENTIFIER":"sudo","MESSAGE":[104,105],"_PID":"1"}\n{"__CURSOR":"2","MESSAGE":"b","_SYSTEMD_UNIT":["a","b"]}',
  'Mar  1 10:00:00 h sysmon: <Event><System><Provider Name="Linux-Sysmon" Guid="{ff032593-a8d3-4f13-b0d6-01fc615a0f97}"/><EventID>1</EventID><Channel>Linux-Sysmon/Operational</Channel><Computer>h</Computer></System><EventData><Data Name="Image">/bin/sh</Data><Data Name="CommandLine">sh -c x</Data></EventData></Event>',
  objects('lines'),
  `{"Records":[${objects('wrapped').replace('\n', ',')}],"more":1}`,
  '{"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","methodName":"m","serviceName":"s"},"timestamp":"2024-01-02T03:04:05Z","resource":{"type":"r"}}',
  '{"Operation":"UserLoggedIn","Workload":"AzureActiveDirectory","CreationTime":"2024-01-02T03:04:05","UserId":"u","ExtendedProperties":[{"Name":"a","Value":"b"}]}',
  'v:80 192.0.2.1 - b [17/May/2015:10:05:03 +0000] "GET /%41?q=%27select%20x%20from%20y HTTP/1.1" 200 1 "-" "Mozilla/5.0 \\"x\\""\n192.0.2.2 - - [17/May/2015:10:05:04 +0000] "POST / HTTP/1.0" 404 - "http://a/" "-"',
  '#Software: IIS\n#Date: 2024-01-01 00:00:00\n#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)\n2024-01-01 00:00:01 192.0.2.1 GET /a b=c 200 Mozilla/5.0+(x)\n2024-01-01 00:00:02 192.0.2.1 GET /a - 500 "q r"',
  '[Sun Dec 04 04:47:44.123 2005] [error] [client 1.2.3.4] mod_jk child in error state\n2024/01/02 03:04:05 [error] 12#0: *1 open() failed, client: 1.2.3.4, request: "GET / HTTP/1.1"',
  '#separator \\x09\n#set_separator\t,\n#empty_field\t(empty)\n#unset_field\t-\n#path\tdns\n#fields\tts\tuid\tid.orig_h\tquery\tanswers\n#types\ttime\tstring\taddr\tstring\tset[string]\n1.5\tC1\t10.0.0.1\ta\\x41bcde.x\tx,y\n2.5\tC2\t-\t(empty)\t-\n#close\t2024',
  '{"ts":1588205128.5,"uid":"C1","id.orig_h":"10.0.0.1","id.orig_p":53,"id.resp_h":"10.0.0.2","id.resp_p":53,"proto":"udp","query":"abcde.x","qtype_name":"A","answers":["a"]}',
  'Jan  1 00:00:00 h CEF:0|v|p|1|100|n\\|m|3|src=1.2.3.4 dst=5.6.7.8 msg=a b\\=c cs1Label=x cs1=y\nLEEF:2.0|v|p|1|i|^|src=1.2.3.4^usrName=u',
  '<14>Mar  4 08:15:01 w\tMSWinEventLog\t1\tSecurity\t7\tWed Mar 04 08:15:00 2026\t4688\tWindows\tN/A\tN/A\tSuccess Audit\tw\tProcess Creation\t\tA new process has been created.    Subject:   Account Name:  e$   Logon ID:  0x3E7    Process Information:   New Process Name: C:\\a.exe   Process Command Line: a  b    Token Elevation Type indicates x\t7\nMar  4 08:15:02 r w#011MSWinEventLog#0111#011Microsoft-Windows-Sysmon/Operational#0117#011Wed Mar 04 08:15:00 2026#0111#011Windows#011S#011User#011I#011w#011N#011#011Process Create:  Image: C:\\a.exe  User: u',
  'w MSWinEventLog\t1\tMicrosoft-Windows-PowerShell/Operational\t7\tWed Mar 04 08:15:00 2026\t4104\tWindows\tN/A\tN/A\tI\tw\tN\t\tCreating Scriptblock text (1 of 1):  iex a    ScriptBlock ID: 7d8a6a43-9c3b-4a37-8d3e-6f1f2a1b3c4d  Path: p',
  'CEF:0|Microsoft|Microsoft Windows||Microsoft-Windows-Security-Auditing:4688|n|Low|externalId=4688 cat=Security rt=1772612100000 dvchost=w duser=e dproc=C:\\\\a.exe cs4=a b\\=c cs4Label=Process Command Line rawEvent=A\\=b&&Subject:Account Name\\=e ad.Group:Group_,Name=x ad.ProcessID=4\nLEEF:2.0|NXLog|e|5|4624|^|Channel=Security^SourceName=Microsoft-Windows-Security-Auditing^TargetUserName=u',
  '<13>Mar  4 08:15:01 w AgentDevice=WindowsLog\tAgentLogFile=Security\tSource=Microsoft-Windows-Security-Auditing\tComputer=w\tEventIDCode=4634\tTimeGenerated=1772612100\tMessage=An account was logged off.  Subject:  Account Name:  e  Logon Type: 3',
  '{"Type":"DeviceNetworkEvents","TimeGenerated":"2024-01-02T03:04:05Z","DeviceName":"w","ActionType":"ConnectionSuccess","InitiatingProcessFileName":"a.exe","InitiatingProcessAccountName":"u","LocalIP":"8.8.4.4","RemoteIP":"8.8.8.8"}',
  'date=2024-01-02 time=03:04:05 devname="fw 1" action=deny srcip=1.2.3.4 dstport=443 msg="a \\"b\\""\na=1 b=2 c=3 d=4',
  '<189>67: Feb 17 13:40:03.673: %SEC-6-IPACCESSLOGP: list 100 denied tcp 1.2.3.4(5) -> 6.7.8.9(10), 1 packet',
  'a,b,c\n1,"x\n""y""",z\n2,,3\n',
  'EventID,Channel,Payload,MapDescription\n1,Microsoft-Windows-Sysmon/Operational,"{""EventData"":{""Data"":[{""@Name"":""Image"",""#text"":""C:\\\\a.exe""}]}}",m\n4688,Security,,n\n',
  '{ "Timestamp": "2024-01-02T03:04:05.678Z", "RuleTitle": "T", "RuleID": "1", "Level": "high", "Computer": "W", "Channel": "Sec", "EventID": 4688, "RecordID": 5, "Details": { "Cmdline": "a" }, "ExtraFieldInfo": "x: y" }',
  '"Timestamp","RuleTitle","Level","Computer","Channel","EventID","RecordID","Details","ExtraFieldInfo"\n"2024-01-02 03:04:05.678 +02:00","T","crit","W","Sec",4688,5,"Cmdline: a ¦ User: ""b""","x: y"',
  '[{"group":"Sigma","kind":"aggregate","documents":[{"kind":"evtx","path":"a","data":{"Event":{"System":{"EventID":1},"EventData":{"Image":"x"}}}}],"name":"T","timestamp":"2024-01-02T03:04:05Z","level":"low","source":"sigma"}]',
  '[\n    {\n        "title": "T",\n        "id": "1",\n        "rule_level": "medium",\n        "count": 2,\n        "matches": [\n            {"row_id": 1, "EventID": 1, "Computer": "W", "SystemTime": "2024-01-02T03:04:05Z"},\n            {"row_id": 2}\n        ]\n    }',
  '{"a":1,"b":{"c":"d"},"level":"error","message":"m","time":"2024-01-02T03:04:05Z"}\n{"a":[1,2,{"x":"y"}],"b":null}',
];

const base = { provider: 'Microsoft-Windows-Sysmon', eventId: 1, channel: 'Microsoft-Windows-Sysmon/Operational' };
const more = {
  time: '2024-01-02T03:04:05.1234567Z',
  computer: 'W',
  providerGuid: '{5770385f-c22a-43e0-bf4c-06f5698ffbd9}',
};
const nested = {
  name: 'A',
  children: [{ name: 'B', attributes: { c: { slot: 5 } }, children: [{ slot: 'x' }, { cdata: '<&' }] }],
};

/** Events with every type of value, in every layout of binary XML. */
const events: readonly EvtxEvent[] = [
  { ...base, ...more, data: { Image: 'C:\\a.exe', CommandLine: 'a -enc x', ProcessId: 5, Empty: null, Long: 'ä€😀' } },
  {
    ...base,
    ...more,
    eventId: 4104,
    channel: 'x',
    data: ['a', 'b', { type: 'array', of: 'string', items: ['c', 'd'] }],
  },
  {
    ...base,
    ...more,
    layout: 'direct',
    userSid: 'S-1-5-18',
    data: { A: true, B: 1.5, C: 2n ** 63n, D: Uint8Array.of(1, 2) },
  },
  {
    ...base,
    ...more,
    layout: 'plain',
    qualifiers: 3,
    data: { A: { type: 'filetime', value: more.time }, B: { type: 'hex64', value: 9 } },
  },
  { ...base, ...more, userData: nested, activityId: more.providerGuid },
  {
    ...base,
    ...more,
    data: {
      A: { type: 'sid', value: 'S-1-5-21-1-2' },
      B: { type: 'array', of: 'hex32', items: [1, 2] },
      C: { type: 'systemtime', value: more.time },
    },
  },
];

/** Seeds by the kind of log that they are read as: built ones, shipped samples, and the shared data when it is there. */
export function seeds(root: string): ReadonlyMap<LogType, readonly Uint8Array[]> {
  const found = new Map<LogType, Uint8Array[]>();
  const add = (type: LogType, seed: Uint8Array | undefined): void => {
    if (seed !== undefined && type !== 'unknown') found.set(type, [...(found.get(type) ?? []), seed]);
  };
  for (const text of texts) {
    const seed = new TextEncoder().encode(text);
    add(detectLogType(seed), seed);
  }
  for (let i = 0; i < events.length; i++)
    add('evtx', shortened(writeEvtx([...events.slice(i), ...events.slice(0, i)]), chunkBytes));
  for (const folder of [
    'config/samples',
    ...['logs', 'evtx', 'evtx-snapshots/samples'].map((name) => `${shared}/${name}`),
  ]) {
    for (const path of filesIn(join(root, folder))) {
      const bytes = new Uint8Array(readFileSync(path));
      const type = detectLogType(bytes);
      add(type, type === 'evtx' ? shortened(bytes, chunkBytes) : firstLines(bytes));
    }
  }
  return found;
}

function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !/\.(md|gz)$|(INDEX|samples)\.json$|\.test\.ts$/.test(path))
    .sort();
}

/** The first lines as far as they are short; of a long one that is JSON, what is left of it when all in it is cut. */
function firstLines(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length <= textBytes) return bytes;
  const end = bytes.lastIndexOf(10, textBytes - 1) + 1;
  if (end > 0) return bytes.slice(0, end);
  const [line = ''] = new TextDecoder().decode(bytes).split('\n', 1);
  try {
    return new TextEncoder().encode(JSON.stringify(shortValue(JSON.parse(line), 4)));
  } catch {
    return undefined;
  }
}

/** The value with few keys, items and characters, so many levels deep. */
function shortValue(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return value.slice(0, 30);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => shortValue(item, levels - 1));
  const entries = Object.entries(value).slice(0, 12);
  return Object.fromEntries(entries.map(([key, item]) => [key, shortValue(item, levels - 1)]));
}
