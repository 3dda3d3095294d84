import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../shared/engine/index.ts';
import { writeEvtx } from '../../shared/engine/testing/index.ts';
import { sourceOf } from '../../shared/engine/testing/read-all.ts';
import { shippedRules } from '../../shared/engine/testing/shipped-rules.ts';
import { inOrder, powershell, sampleFiles, type SampleLog, security, sysmon } from '../../test/samples/samples.ts';
import { SampleList } from '../samples-schema.ts';

const folder = fileURLToPath(new URL('./', import.meta.url));
const listed = SampleList.parse(JSON.parse(readFileSync(`${folder}samples.json`, 'utf8')));
const generated = sampleFiles();
const { rules } = await shippedRules();

/** What is found, and in how many events. */
const opening = {
  'Auto-Elevated Windows Program Starts A Shell': 1,
  'Autostart Registry Value With A Suspicious Command': 1,
  'Class Or Folder That An Elevated Program Opens Redirected (By A Command)': 1,
  'Code-Running Windows Program Connects To A Public Address': 4,
  'Command Lists Domain Controllers, Trusts Or Administrators': 3,
  'Command Weakens Defender': 1,
  'Creation Time Of A Program File Changed': 1,
  'Credential Hive Saved From The Registry': 2,
  'Defender Disabled Through The Registry': 1,
  'Encoded PowerShell That Downloads Or Loads Code': 1,
  'Machines, Shares Or Time Of Another Machine Asked For': 2,
  'Memory Dump Through Comsvcs': 1,
  'Named Pipe Of A Known Implant': 1,
  'Office Program Starts A Command Interpreter': 1,
  'Open Command Of A System Class Set For A User': 2,
  'Open Command Of An Elevating Class Set By A Command': 2,
  'Per-User Open Command Set For An Auto-Elevated Program': 2,
  'PowerShell Started Hidden And Without Profile': 2,
  'PowerShell Started With An Encoded Command': 1,
  'Process Opens LSASS To Read Its Memory': 1,
  'Program Of Windows Loads An Unsigned Library From A Folder Of Users': 1,
  'Program Or Script Written To The Public Folder': 1,
  'Program That Elevates Itself Started By A Shell': 1,
  'Protection Of Defender Switched Off By A Preference (Command Line)': 1,
  'Registry Written Or Cut By A Command Of The Shell': 1,
  'Rundll32 Runs Script Or A Library From A Writable Folder': 1,
  'Schtasks Creates A Task For A Script Or On Another Machine': 1,
  'Script Host Opens The Logon Process': 1,
  'Script Or Library Host Resolves A Public Name': 1,
  'Small Tool For The Network Run In A Shell': 2,
  'Whoami Lists Privileges Or Groups': 1,
};
const workstation = {
  ...opening,
  'Archive Packed With A Password': 1,
  'Archive With A Password Made By A Command': 1,
  'Built-in Program Writes A Program': 1,
  'Certutil Fetches Or Decodes A File': 1,
  'Code-Running Windows Program Connects To A Public Address': 17,
  'Command Clears Or Disables An Event Log': 2,
  'Documents Gathered By Kind And Packed By A Script (Command Line)': 1,
  'Files Deleted By A Command Of The Shell': 1,
  'Files Packed In Pieces Or Into An Odd Place': 1,
  'Program Fetched With Curl Into A User Folder': 1,
  'Program Or Script Written To The Public Folder': 3,
  'Program Started From A Folder Meant For Data': 2,
  'Rclone Copies Files To A Remote Storage': 1,
  'Script Or Library Host Resolves A Public Name': 2,
  'WMIC Aimed At Another Machine': 1,
  'WMIC Starts A Process': 1,
};
const controller = {
  'Account Added To A Privileged Domain Group': 1,
  'Account Added To The Administrators Group': 1,
  'Account Whose Password Never Expires Or Is Not Needed': 1,
  'Command Output Redirected To A Loopback Share': 4,
  'Directory Replication Rights Used By A User Account': 3,
  'Files Deleted By A Command Of The Shell': 1,
  'Logon Attempt With A Disabled Or Expired Account': 1,
  'Net Command Adds An Account Or Administrator': 6,
  'Password Of An Account Set By Another User': 1,
  'Remote Desktop Logon From The Machine Itself': 1,
  'Scheduled Task Registered That Runs An Interpreter': 1,
  'Scheduled Task Registered With A Suspicious Action': 1,
  'Security Log Cleared': 1,
  'Service Installed With A Suspicious Command (Audit Log)': 1,
  'Service Ticket With RC4 For A User Account': 2,
  'Shell Started By The Service Control Manager': 1,
  'User Account Created': 1,
  'WMI Provider Host Starts A Command Interpreter': 3,
};
const scripts = {
  'Program Fetched To A Folder For Passing Files By A Script': 1,
  'Program Started Without A Window By A Script': 1,
  'Protection Of Defender Switched Off By A Preference': 1,
  'Script Block Downloads And Runs Code': 1,
  'Script Block Tampers With AMSI': 1,
  'Script Block Weakens Defender': 1,
  'Time Of A File Set By A Script': 1,
};

/** Titles of the rules that find something, with how often. */
async function findingsIn(bytes: Uint8Array): Promise<Readonly<Record<string, number>>> {
  const { findings, problems } = await analyze(sourceOf(bytes), { rules, logType: 'auto', maxSamples: 1 });
  expect(problems).toEqual([]);
  return Object.fromEntries(findings.map(({ ruleName, count }) => [ruleName, count]));
}

describe('the sample logs', () => {
  it('are the files that are listed', () => {
    expect(listed.map(({ file }) => file).sort()).toEqual([...generated.keys()].sort());
  });

  it.each([...generated])('%s is what the generator writes', (name, bytes) => {
    expect(Buffer.compare(bytes, readFileSync(folder + name)), `run npm run samples`).toBe(0);
    expect(bytes.length).toBeLessThan(1_100_000);
  });

  it.each([
    ['sysmon', sysmon],
    ['security', security],
    ['powershell', powershell],
  ])('%s: nothing is found in the ordinary part, and all of it stays within two hours', async (_name, log) => {
    expect(log.noise.length).toBeGreaterThan(10);
    expect(await findingsIn(writeEvtx(log.noise))).toEqual({});
    expect(minutes(log)).toBeLessThan(120);
  });

  it('give every process an id of its own', () => {
    const started = inOrder(sysmon).filter(({ eventId }) => eventId === 1);
    const ids = started.map(({ data }) => JSON.stringify((data as Record<string, unknown>).ProcessGuid));
    expect(new Set(ids).size).toBe(started.length);
  });
});

describe('the core pack tells the story in', () => {
  it.each([
    ['intrusion-sysmon-opening.xml', opening],
    ['intrusion-sysmon.evtx', workstation],
    ['intrusion-security.evtx', controller],
    ['intrusion-powershell.evtx', scripts],
  ])('%s', async (name, story) => {
    expect(await findingsIn(generated.get(name)!)).toEqual(story);
  });
});

function minutes(log: SampleLog): number {
  const times = inOrder(log).map(({ time }) => Date.parse(String(time)));
  return (Math.max(...times) - Math.min(...times)) / 60_000;
}
