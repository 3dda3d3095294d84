import { readFileSync } from 'node:fs';
import { convertedRules } from '../load/peers-conversion.ts';
import { findPeer, zircolite } from '../load/peers.ts';
import { type Cause, threeValued } from './causes.ts';
import { Pairs, recordKey } from './pairs.ts';
import { outputOf, type Places, type Side } from './side.ts';

interface Found {
  readonly id: string;
  readonly matches: readonly { OriginalLogfile: string; EventRecordID: number; SystemTime: string }[];
}

const notConverted: Cause = {
  name: 'not converted',
  why: 'The converter of the rules to SQL gives up on them; what they use is part of Sigma.',
};

const causes: readonly Cause[] = [
  {
    name: '5156 and 4657 not mapped',
    why: 'The categories mean these events too.',
    record: (view) => (view.mapping === 'M2' || view.mapping === 'M3' ? null : view),
  },
  threeValued,
  {
    name: '`Channel` always that of the log',
    why: 'The data of 104 names the log that was cleared, which is what these rules ask.',
    record: (view, { channel }) => ({
      ...view,
      texts: (field) => (field === 'Channel' ? [channel] : view.texts(field)),
    }),
  },
];

export function zircoliteSide(places: Places): Side | null {
  const peer = findPeer('zircolite');
  if (peer === null) return null;
  // One pass of pySigma means Sysmon's events or Windows' own; both are wanted.
  const sysmon = convertedRules(peer, places.rules, places.output, ['sysmon', 'windows-logsources']);
  const audit = convertedRules(peer, places.processRules, places.output, ['windows-audit', 'windows-logsources']);
  const output = outputOf(places, peer, (path) =>
    zircolite(peer, { logs: places.logs, rules: [sysmon, audit], output: path }),
  );
  const pairs = new Pairs();
  for (const { id, matches } of JSON.parse(readFileSync(output, 'utf8')) as Found[]) {
    for (const { OriginalLogfile: log, EventRecordID, SystemTime } of matches) {
      pairs.add({ log, rule: id, record: recordKey(EventRecordID, SystemTime) });
    }
  }
  const [native, mapped] = [idsIn(sysmon), idsIn(audit)];
  return {
    name: 'Zircolite',
    pairs,
    missing: ({ rule, views }) => {
      const ids = views.some(({ mapping }) => mapping === null) || views.length === 0 ? native : mapped;
      return ids.has(rule.id ?? '') ? null : notConverted;
    },
    causes,
  };
}

function idsIn(path: string): ReadonlySet<string> {
  return new Set((JSON.parse(readFileSync(path, 'utf8')) as Found[]).map(({ id }) => id));
}
