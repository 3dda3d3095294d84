import { engineDifferences } from '@svc/domain';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findPeer, hayabusa, hayabusaRules } from '../load/peers.ts';
import type { RecordView } from '../../shared/engine/testing/expression-holds.ts';
import type { Cause } from './causes.ts';
import { Pairs, recordKey } from './pairs.ts';
import { outputOf, type Places, type Side } from './side.ts';

/** A rule as Hayabusa converted it; one of Sigma becomes up to two, for Sysmon and for Windows' own logs. */
interface Converted {
  readonly id: string;
  readonly origin: string;
  readonly builtin: boolean;
  readonly version: string;
}

const noCopy: Cause = {
  ...engineDifferences.noCopy,
};
const excluded: Cause = {
  ...engineDifferences.excludedByList,
};

const otherVersion: Cause = {
  ...engineDifferences.anotherVersion,
};

/** Left to the wildcards of a pattern that has some in its middle, pairs of backslashes stay two. */
const middleWildcard = /^(\s*(?:- |[\w|]+: )'?)(.*[*?].*)$/gm;

const causes: readonly Cause[] = [
  {
    ...engineDifferences.blanksDropped,
    record: (view) => ({ ...view, texts: (field) => view.texts(field)?.map((text) => text.trim()) ?? null }),
  },
  {
    ...engineDifferences.windashOneWay,
    rule: slashesForDashes,
  },
  {
    ...engineDifferences.backslashesByWildcards,
    rule: (source) =>
      source.replace(middleWildcard, (_, key: string, value: string) => key + value.replaceAll('\\\\', '\\\\\\\\')),
  },
  {
    ...engineDifferences.userDataNotSeen,
    record: (view, { record }) => ('UserData_Root' in record ? withoutData(view) : view),
  },
  {
    ...engineDifferences.fieldrefNotRenamed,
    rule: (source, { views }) =>
      views.every(({ mapping }) => mapping !== null)
        ? source.replace(/\|fieldref: (\w+)/g, '|fieldref: Unmapped$1')
        : source,
  },
  {
    ...engineDifferences.driveLetter,
    record: (view) =>
      view.mapping === 'M3'
        ? { ...view, texts: (field) => view.texts(field)?.map((text) => text.replace(device, 'C:')) ?? null }
        : view,
  },
];

const device = /^\\device\\harddiskvolume\d+/i;

export function hayabusaSide(places: Places): Side | null {
  const peer = findPeer('hayabusa');
  if (peer === null) return null;
  const rules = hayabusaRules(peer);
  const converted = convertedRules(rules);
  const off = new Set(readFileSync(join(peer.home, 'rules/config/exclude_rules.txt'), 'utf8').match(/^[\da-f-]{36}/gm));
  const output = outputOf(places, peer, (path) =>
    hayabusa(peer, { logs: places.logs, rules: [rules], output: path }, true),
  );
  const origins = new Map(converted.map(({ id, origin }) => [id, origin]));
  const pairs = new Pairs();
  for (const line of readFileSync(output, 'utf8').split('\n').filter(Boolean)) {
    const { EvtxFile, RuleID, RecordID, Timestamp } = JSON.parse(line) as Record<string, string>;
    const rule = origins.get(RuleID!)!;
    pairs.add({ log: basename(EvtxFile!), rule, record: recordKey(RecordID!, Timestamp!) });
  }
  return {
    name: 'Hayabusa',
    pairs,
    missing: ({ rule, views }) => {
      const builtin = views.every(({ mapping }) => mapping !== null);
      const copies = converted.filter(({ origin, ...copy }) => origin === rule.id && (!builtin || copy.builtin));
      if (copies.length === 0) return noCopy;
      if (copies.every(({ id }) => off.has(id))) return excluded;
      return copies.every(({ version }) => version === versionOf(rule.source)) ? null : otherVersion;
    },
    causes,
  };
}

/** With a slash for its first dash. */
function withSlash(value: string): string {
  return value.replace(/[-\u2013\u2014\u2015/]/, '/');
}

/** Each value of a `windash` item as written and with a slash for its first dash, which is all that it finds. */
function slashesForDashes(source: string): string {
  return source
    .replace(/\|windash((?:\|\w+)*:)((?:\s*\n\s+- .*)+)/g, (_, rest: string, list: string) => {
      const values = list.replace(
        /^(\s+- )(.*)$/gm,
        (line, dash: string, value: string) => `${line}\n${dash}${withSlash(value)}`,
      );
      return rest + values;
    })
    .replace(
      /\|windash((?:\|\w+)*:) (.+)$/gm,
      (_, rest: string, value: string) => `${rest} [${value}, ${withSlash(value)}]`,
    );
}

/** The record without its data, which is what is left of it when none is found. */
function withoutData(view: RecordView): RecordView {
  const system = /^(?:EventID|Channel|Computer|Provider_Name|EventRecordID|Level|Task|Opcode|Keywords)$/i;
  return { ...view, texts: (field) => (system.test(field) ? view.texts(field) : null) };
}

function convertedRules(folder: string): Converted[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yml'))
    .map((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      const id = /^id:\s*(\S+)/m.exec(text)?.[1] ?? '';
      // The converter appends the rule that its copy is derived from.
      const related = [...text.matchAll(/- id:\s*(\S+)\s+type:\s*derived/g)].at(-1)?.[1];
      return { id, origin: related ?? id, builtin: /^builtin[\\/]/.test(path), version: versionOf(text) };
    });
}

/** When the rule was last changed, and its title, which says enough to tell versions apart. */
function versionOf(text: string): string {
  return ['title', 'date', 'modified'].map((key) => new RegExp(`^${key}: *(.*)$`, 'm').exec(text)?.[1]).join();
}
