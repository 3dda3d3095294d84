import { readdirSync, readFileSync } from 'node:fs';
import { AnalyticsFields } from '@svc/config';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { analyze } from '../analyze.ts';
import { EvtxEvent } from '../readers/evtx/evtx-event.ts';
import { readEvtx } from '../readers/evtx/evtx-reader.ts';
import { eventJson } from '../readers/evtx/render-json.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { plainIntel, type PlainIntel } from '../testing/plain-intel.ts';
import { freshTables, sourceOf } from '../testing/read-all.ts';
import type { EntityFields } from './entities.ts';
import type { DerivedIntel } from './intel.ts';

const config = AnalyticsFields.parse(load(readFileSync('config/analytics_fields.yaml', 'utf8')));
const entities: EntityFields = {
  fields: config.fields,
  ignoredUsers: config.ignored_users,
  commandLineExtensions: config.command_line_extensions,
};

const rule = (name: string, eventId: number): string => `title: ${name}
name: ${name}
level: low
logsource: {product: windows}
detection: {a: {EventID: ${eventId}}, condition: a}
---
`;
const { rules } = loadRules([
  {
    path: 'rules.yml',
    text:
      rule('Started', 1) +
      rule('Failed', 4625) +
      rule('Ticket', 4768) +
      `title: Guessing
level: high
correlation: {type: event_count, rules: [Failed], group-by: [Computer], timespan: 7d, condition: {gte: 1}}
`,
  },
]);
/** Names of what reports, in the order of their places; the rule that is correlated reports no findings of its own. */
const reporting = [...rules.rules, ...rules.correlations].map(({ title }) => title);
const ids: Readonly<Record<string, readonly string[]>> = { '1': ['Started'], '4625': ['Guessing'], '4768': ['Ticket'] };

describeWithSharedData('intel', () => {
  it('of real logs is what a plain reading of their JSON gives', { timeout: 600_000 }, async () => {
    const files = readdirSync(sharedData('evtx')).filter((name) => name.endsWith('.evtx'));
    const types = new Set<string>();
    let compared = 0;
    for (const file of files) {
      const bytes = readFileSync(sharedData('evtx', file));
      const derive = { groups: reporting, entities, threats: [] };
      const { derived } = await analyze(sourceOf(bytes), { rules, logType: 'evtx', maxSamples: 1, derive });
      const found = texts(derived!.intel);
      const plain = texts(plainIntel(await jsonOf(bytes), entities, (event) => ids[event.get('EventID') ?? ''] ?? []));
      expect({ file, ...found }).toEqual({ file, ...plain });
      compared += found.entities.length + found.edges.length;
      for (const edge of found.edges) types.add(edge.split(':')[0]!);
    }
    expect(files.length).toBeGreaterThan(35);
    expect(compared).toBeGreaterThan(2000);
    expect(types.size).toBeGreaterThan(10);
  });
});

async function jsonOf(bytes: Uint8Array): Promise<string[]> {
  const events: string[] = [];
  await readEvtx(sourceOf(bytes), freshTables(), (event) => {
    if (event instanceof EvtxEvent) events.push(eventJson(event));
  });
  return events;
}

interface Texts {
  readonly entities: readonly string[];
  readonly edges: readonly string[];
  readonly findings: readonly string[];
}

function texts(intel: DerivedIntel | PlainIntel): Texts {
  if (!('relationships' in intel)) {
    return {
      entities: [...intel.entities].map(([entity, count]) => `${entity} ${count}`).sort(),
      edges: [...intel.edges]
        .map(([edge, { count, failed, from, to, samples }]) => [edge, count, failed, from, to, samples].join(' '))
        .sort(),
      findings: [...intel.findings].flatMap(([name, linked]) => [...linked].map((one) => `${name}: ${one}`)).sort(),
    };
  }
  const named = intel.entities.map(({ type, value }) => `${type} ${value}`);
  return {
    entities: intel.entities.map(({ count }, place) => `${named[place]} ${count}`).sort(),
    edges: intel.relationships
      .map(({ type, source, target, count, failed, observedFrom, observedTo, samples }) =>
        [
          `${type}: ${named[source]} -> ${named[target]}`,
          count,
          failed,
          observedFrom ?? Infinity,
          observedTo ?? -Infinity,
          samples.length,
        ].join(' '),
      )
      .sort(),
    findings: intel.findings
      .flatMap(({ rule: place, entities: linked }) => linked.map((one) => `${reporting[place]}: ${named[one]}`))
      .sort(),
  };
}
