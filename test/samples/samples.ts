import { type EvtxEvent, writeEvtx } from '@svc/engine/testing';
import { at } from './company.ts';
import { writeEventXml } from './event-xml.ts';
import { powershellNoise, powershellStory } from './powershell-story.ts';
import { securityNoise } from './security-noise.ts';
import { securityStory } from './security-story.ts';
import { sysmonNoise } from './sysmon-noise.ts';
import { sysmonStory } from './sysmon-story.ts';

/** A log of the made-up intrusion, in two parts: what happened, and the ordinary work around it. */
export interface SampleLog {
  readonly story: readonly EvtxEvent[];
  readonly noise: readonly EvtxEvent[];
  /** Id of the first record; a log does not start with 1. */
  readonly firstRecord: number;
}

export const sysmon: SampleLog = { story: sysmonStory(), noise: sysmonNoise(), firstRecord: 148_213 };
export const security: SampleLog = { story: securityStory(), noise: securityNoise(), firstRecord: 3_902_771 };
export const powershell: SampleLog = { story: powershellStory(), noise: powershellNoise(), firstRecord: 5_118 };

/** The files of `config/samples`, by name; the same bytes at every call. */
export function sampleFiles(): ReadonlyMap<string, Uint8Array> {
  const opening = inOrder(sysmon).filter(({ time }) => between(String(time), at('08:50:00'), at('09:10:00')));
  return new Map([
    ['intrusion-sysmon.evtx', writeEvtx(inOrder(sysmon))],
    ['intrusion-security.evtx', writeEvtx(inOrder(security))],
    ['intrusion-powershell.evtx', writeEvtx(inOrder(powershell))],
    ['intrusion-sysmon-opening.xml', new TextEncoder().encode(writeEventXml(opening))],
  ]);
}

/** All records as their log holds them: by time, numbered without a gap. */
export function inOrder({ story, noise, firstRecord }: SampleLog): readonly (EvtxEvent & { recordId: number })[] {
  return [...story, ...noise]
    .toSorted((a, b) => (String(a.time) < String(b.time) ? -1 : 1))
    .map((event, index) => ({ ...event, recordId: firstRecord + index }));
}

function between(time: string, from: number, to: number): boolean {
  const moment = Date.parse(time);
  return moment >= from && moment < to;
}
