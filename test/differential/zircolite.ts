import { engineDifferences } from '@svc/domain';
import { readFileSync } from 'node:fs';
import { convertedRules } from '../load/peers-conversion.ts';
import { findPeer, zircolite } from '../load/peers.ts';
import { booleansNoText, type Cause, channelOfLog, fieldsOf, onlySysmon } from './causes.ts';
import { Pairs, recordKey } from './pairs.ts';
import { outputOf, type Places, type Side } from './side.ts';

interface Found {
  readonly id: string;
  readonly matches: readonly { OriginalLogfile: string; EventRecordID: number; SystemTime: string }[];
}

const notConverted: Cause = {
  ...engineDifferences.notConverted,
};

/** Columns that its conversion makes of the fields of process creation for 4688. */
const columns4688 = new Map([
  ['image', 'newprocessname'],
  ['parentimage', 'parentprocessname'],
  ['processid', 'newprocessid'],
  ['parentprocessid', 'processid'],
  ['logonid', 'subjectlogonid'],
]);

const causes: readonly Cause[] = [
  onlySysmon,
  {
    ...engineDifferences.columnMissing,
    record: (view, { rule, namesInLog }) =>
      fieldsOf(rule.expression)
        .map((field) => field.toLowerCase())
        // Unnamed data becomes a column of another name.
        .every((field) => {
          const column = (view.mapping === null ? undefined : columns4688.get(field)) ?? field;
          return column !== 'data' && namesInLog.has(column);
        })
        ? view
        : null,
  },
  {
    ...engineDifferences.integrityLevel,
    record: (view) => ({
      ...view,
      texts: (field) => (field === 'IntegrityLevel' && view.mapping !== null ? null : view.texts(field)),
    }),
  },
  channelOfLog,
  booleansNoText,
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
      const isOfAudit = views.length > 0 && views.every(({ mapping }) => mapping?.startsWith('M1') === true);
      const ids = isOfAudit ? mapped : native;
      return ids.has(rule.id ?? '') ? null : notConverted;
    },
    causes,
  };
}

function idsIn(path: string): ReadonlySet<string> {
  return new Set((JSON.parse(readFileSync(path, 'utf8')) as Found[]).map(({ id }) => id));
}
