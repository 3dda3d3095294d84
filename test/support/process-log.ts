import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes a folder with one rule, which every start of a process matches. */
export async function writeStartRule(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'start.yml'), rule);
}

/**
 * Writes Sysmon starts of processes as lines of JSON: every second one is a child of the one before it, the others
 * have a parent that no event tells of, so that the tree has half as many roots again.
 */
export async function writeProcessStarts(path: string, count: number): Promise<void> {
  await writeFile(path, Array.from({ length: count }, (_, number) => `${JSON.stringify(startOf(number))}\n`).join(''));
}

function startOf(number: number) {
  const isChild = number % 2 === 1;
  const at = new Date(Date.parse('2026-08-01T00:00:00Z') + number * 1000).toISOString();
  return {
    Channel: 'Microsoft-Windows-Sysmon/Operational',
    EventID: 1,
    Provider_Name: 'Microsoft-Windows-Sysmon',
    Computer: `ws${number % 50}.example.org`,
    EventRecordID: number + 1,
    TimeCreated: at,
    UtcTime: at.replace('T', ' ').replace('Z', ''),
    ProcessGuid: guidOf(number),
    ProcessId: String(1000 + number),
    Image: isChild ? String.raw`C:\Windows\System32\cmd.exe` : String.raw`C:\Tools\agent.exe`,
    CommandLine: `${isChild ? 'cmd.exe /c' : 'agent.exe'} task-${number} ${'--with another argument '.repeat(number % 7)}`,
    User: String.raw`EXAMPLE\ann`,
    ParentProcessGuid: guidOf(isChild ? number - 1 : 100_000 + number),
    ParentProcessId: String(isChild ? 999 + number : 4),
    ParentImage: isChild ? String.raw`C:\Tools\agent.exe` : String.raw`C:\Windows\System32\services.exe`,
  };
}

function guidOf(number: number): string {
  return `{00000000-0000-4000-8000-${String(number).padStart(12, '0')}}`;
}

const rule = `title: A Process Was Started
id: 00000000-0000-4000-8000-000000000001
status: stable
description: Every start of a process.
logsource:
  product: windows
  category: process_creation
detection:
  selection:
    Image|endswith: .exe
  condition: selection
level: low
tags:
  - attack.execution
  - attack.t1059
`;
