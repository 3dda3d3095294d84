import { engineDifferences } from '@svc/domain';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { chainsaw, findPeer, type Peer } from '../load/peers.ts';
import { booleansNoText, type Cause, channelOfLog, onlySysmon, threeValued } from './causes.ts';
import { Pairs, recordKey } from './pairs.ts';
import { outputOf, type Places, type Side } from './side.ts';

interface Document {
  readonly path: string;
  readonly data: { readonly Event: { readonly System: { readonly EventRecordID: number } } };
}

interface Hit {
  readonly id?: string;
  readonly timestamp: string;
  readonly document?: Document;
}

const mapping = 'mappings/sigma-event-logs-all.yml';

/** What its mapping file makes of fields and log sources, and how its rule language reads the rest. */
function causesOf(file: string): Cause[] {
  const fields = new Set(
    [...file.matchAll(/^ +from: (\S+)$/gm), ...file.matchAll(/^ +- from: (\S+)$/gm)].map(([, name]) => name!),
  );
  const services = new Map(
    [...file.matchAll(/logsource\.service: (\S+)\n +filter:\n +Provider: (.*)\n/g)].map(([, name, provider]) => [
      name,
      provider,
    ]),
  );
  return [
    onlySysmon,
    {
      ...engineDifferences.processFieldsNotMapped,
      record: (view, { plain }) => (view.mapping === null ? view : plain),
    },
    {
      ...engineDifferences.serviceAsProvider,
      record: (view, { rule, provider }) => {
        const only = services.get(rule.logSource.service);
        return only === undefined || only === provider ? view : null;
      },
    },
    threeValued,
    {
      ...engineDifferences.fieldsNotMapped,
      record: (view) => ({ ...view, texts: (field) => (fields.has(field) ? view.texts(field) : null) }),
    },
    channelOfLog,
    booleansNoText,
    {
      ...engineDifferences.questionMarks,
      rule: (source) => source.replace(/(?<!\\)\?/g, '\\?'),
    },
    {
      ...engineDifferences.backslashesAsTwo,
      rule: (source) => source.replaceAll('\\\\', '\\\\\\\\'),
    },
  ];
}

export function chainsawSide(places: Places): Side | null {
  const peer = findPeer('chainsaw');
  if (peer === null) return null;
  const output = outputOf(places, peer, (path) =>
    chainsaw(peer, { logs: places.logs, rules: [places.rules], output: path }),
  );
  const pairs = new Pairs();
  for (const { id, timestamp, document } of hitsOf(output)) {
    if (id === undefined || document === undefined) continue;
    const record = recordKey(document.data.Event.System.EventRecordID, timestamp);
    pairs.add({ log: basename(document.path), rule: id, record });
  }
  const refused = refusedRules(peer, places);
  const excluded = excludedTitles(peer);
  return {
    name: 'Chainsaw',
    pairs,
    missing: ({ rule }) => {
      const reason = refused.find(({ path }) => rule.path.endsWith(path))?.reason;
      if (reason !== undefined)
        return {
          name: `not loaded: ${reason.split(' - tau')[0]}`,
          why: engineDifferences.windashNotLoaded.why,
        };
      if (excluded.has(rule.title)) return engineDifferences.excludedByMapping;
      return null;
    },
    causes: causesOf(readFileSync(join(peer.home, mapping), 'utf8')),
  };
}

function hitsOf(output: string): Hit[] {
  return readFileSync(output, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Hit);
}

function refusedRules(peer: Peer, { rules }: Places): { path: string; reason: string }[] {
  const [program, ...before] = peer.command;
  const { stdout, stderr } = spawnSync(program, [...before, 'lint', '--kind', 'sigma', rules], {
    encoding: 'utf8',
    cwd: peer.home,
  });
  return [...`${stdout}\n${stderr}`.matchAll(/^\[!\] (\S+): (.*)$/gm)].map(([, path = '', reason = '']) => ({
    path,
    reason,
  }));
}

function excludedTitles(peer: Peer): ReadonlySet<string> {
  const file = readFileSync(join(peer.home, mapping), 'utf8');
  const list = /^exclusions:\n((?:- .*\n)*)/m.exec(file)?.[1] ?? '';
  return new Set(list.split('\n').map((line) => line.slice(2).trim()));
}
