import { expect, it } from 'vitest';
import { freshTables, sourceOf } from '../../testing/read-all.ts';
import { detectLogType } from '../detect-log-type.ts';
import { readerFor } from '../readers.ts';

const time = '2026-03-04T08:15:00.123Z';
const device = { TimeGenerated: time, DeviceName: 'w1', InitiatingProcessFileName: 'cmd.exe' };
const started = { Type: 'DeviceProcessEvents', ...device, ActionType: 'ProcessCreated', FileName: 'a.exe', Empty: '' };
const connected = { Type: 'DeviceNetworkEvents', ...device, ActionType: 'ConnectionSuccess', RemoteIP: '192.0.2.1' };
const logon = { Type: 'SecurityEvent', TimeGenerated: time, Computer: 'w1', EventID: 4624, TargetUserName: 'eve' };
const event = { Event: { System: { EventID: 4688, Channel: 'Security' }, EventData: { NewProcessName: 'C:\\a.exe' } } };
const untold = {
  Id: 4688,
  ProviderName: 'Microsoft-Windows-Security-Auditing',
  LogName: 'Security',
  MachineName: 'w1',
};
const signIn = { time, category: 'SignInLogs', operationName: 'Sign-in activity', properties: { id: '1' } };
const audit = { time, category: 'AuditLogs', operationName: 'Add user', properties: { id: '1' } };

/** What each record comes as: the event id of a Windows event, else the most that its source tells. */
async function kindsOf(...records: readonly object[]): Promise<readonly string[]> {
  const bytes = new TextEncoder().encode(`${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
  const kinds: string[] = [];
  const { problems } = await readerFor(detectLogType(bytes))!(sourceOf(bytes), freshTables(), ({ route }) => {
    const fact = route.facts.at(-1);
    kinds.push(fact === undefined ? `${route.channel} ${route.eventId}` : (fact.category ?? fact.service ?? ''));
  });
  return [...kinds, ...problems.map(({ code }) => code)];
}

it.each<[string, readonly object[], readonly string[]]>([
  [
    'tables of advanced hunting',
    [started, connected, started],
    ['process_creation', 'network_connection', 'process_creation'],
  ],
  ['Azure’s logs', [signIn, audit, signIn], ['signinlogs', 'auditlogs', 'signinlogs']],
  [
    'Windows events behind rows of another table',
    [started, logon, event, connected],
    ['process_creation', 'Security 4624', 'Security 4688', 'network_connection'],
  ],
  ['Windows events among Azure’s records', [signIn, logon, audit], ['signinlogs', 'Security 4624', 'auditlogs']],
  [
    'rows of other tables among Windows events',
    [logon, started, event, connected, signIn],
    ['Security 4624', 'process_creation', 'Security 4688', 'network_connection', 'signinlogs'],
  ],
  ['an event without its data', [started, untold], ['process_creation', 'Security 4688', 'event-data-untold']],
])('a file may hold several kinds: %s', async (_, records, expected) => {
  expect(await kindsOf(...records)).toEqual(expected);
});
