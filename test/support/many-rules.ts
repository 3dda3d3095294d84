import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const levels = ['critical', 'high', 'medium', 'low', 'informational'];
const tactics = ['execution', 'persistence', 'discovery', 'impact'];

/** Writes a folder of so many rules, each of which finds a word of its own. */
export async function writeManyRules(folder: string, count: number): Promise<void> {
  await mkdir(folder);
  for (let number = 0; number < count; number++) await writeFile(join(folder, `rule-${number}.yml`), ruleOf(number));
}

/** Writes Windows events as lines of JSON, each of which one of {@link writeManyRules}' rules matches, in turn. */
export async function writeManyMatches(path: string, rules: number, events: number): Promise<void> {
  const file = createWriteStream(path);
  const from = Date.parse('2026-08-01T00:00:00Z');
  for (let number = 0; number < events; number++) {
    const line = JSON.stringify({
      Channel: 'Microsoft-Windows-PowerShell/Operational',
      EventID: 4104,
      Provider_Name: 'Microsoft-Windows-PowerShell',
      Computer: `ws${number % 50}.example.org`,
      EventRecordID: number + 1,
      TimeCreated: new Date(from + number * 250).toISOString(),
      Path: wordOf(number % rules),
      ScriptBlockText: 'Get-Date',
    });
    if (!file.write(`${line}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

function wordOf(number: number): string {
  return String.raw`C:\bench\word-${number}.ps1`;
}

function ruleOf(number: number): string {
  return `title: Word ${number} Seen In A Script
id: 00000000-0000-4000-8000-${String(number).padStart(12, '0')}
status: stable
description: Finds one word.
logsource:
  product: windows
  service: powershell
detection:
  selection:
    EventID: 4104
    Path: '${wordOf(number)}'
  condition: selection
level: ${levels[number % levels.length]}
tags:
  - attack.${tactics[number % tactics.length]}
  - attack.t1${String(number % 600).padStart(3, '0')}
`;
}
