import { entityFixture, named, shownBy } from '@svc/adapters/contract/entity-fixture.ts';
import { account, at as linkedAt } from '@svc/adapters/contract/job-fixture.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { exportCaseMisp, exportCaseStix } from '@svc/application/feeds/case-documents.ts';
import type { Indicator } from '@svc/application/feeds/indicators.ts';
import { feedEventId, mispEvent } from '@svc/application/feeds/misp.ts';
import { bundle, identity, indicatorObject, relationshipObject, sightingObject } from '@svc/application/feeds/stix.ts';
import { entityTypes, relationshipKinds, severities } from '@svc/domain';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../samples/random.ts';
import { describeWith } from '../support/programs.ts';

/** What libraries of OASIS and MISP say of documents: a program reads them as JSON and writes what it made of each. */
const peer = `
import json, sys
asked = json.load(sys.stdin)
if asked["what"] == "stix":
    import stix2
    from stix2validator import validate_instance, ValidationOptions
    answer = []
    for document in asked["documents"]:
        result = validate_instance(document, ValidationOptions(strict=True, version="2.1", disabled=["relationship-types"]))
        store = stix2.MemoryStore()
        for time in (1, 2):
            store.add(stix2.parse(document, allow_custom=True))
        answer.append({"errors": [str(e) for e in result.errors], "stored": sorted(one["id"] for one in store.query())})
else:
    from pymisp import MISPEvent
    answer = []
    for document in asked["documents"]:
        event = MISPEvent()
        event.load(document)
        answer.append({"uuid": event.uuid, "attributes": [[a.type, a.category, a.value, a.to_ids, [t.name for t in a.tags]] for a in event.attributes]})
json.dump(answer, sys.stdout)
`;

function ask(question: object): unknown {
  const ran = spawnSync(process.env.STIX_PYTHON_PATH ?? '', ['-c', peer], {
    input: JSON.stringify(question),
    maxBuffer: 2 ** 28,
  });
  expect([ran.status, ran.stderr.toString()]).toEqual([0, expect.any(String)]);
  return JSON.parse(ran.stdout.toString());
}

const values = {
  user: ['CORP\\alice', "o'brien", 'NT AUTHORITY\\SYSTEM', 'ユーザー'],
  computer: ['dc01', 'srv-sql.corp.example'],
  ip_address: ['10.0.0.1', '203.0.113.9', '2001:db8::1'],
  hash: ['a'.repeat(32), 'b'.repeat(40), 'c'.repeat(64), 'd'.repeat(128), 'imphash'],
  executable: ['mimikatz.exe', "it's a \\ test.exe"],
  domain: ['evil.example', 'xn--bcher-kva.example'],
  cmdline_file: ['run me.ps1', '"quoted".bat'],
  service: ['PSEXESVC', "c:\\windows\\temp\\o'svc.exe"],
  task: ['\\Microsoft\\Windows\\Update', '\\evil task'],
} as const;

function indicators(random: Random): Indicator[] {
  const all = entityTypes.flatMap((type) => values[type].map((value) => ({ type, value })));
  return all
    .filter(() => random.int(0, 3) > 0)
    .map(({ type, value }, id) => {
      const first = Date.UTC(2026, 0, 1 + random.int(0, 100));
      return {
        id,
        type,
        value,
        firstSeenAt: new Date(first),
        lastSeenAt: new Date(first + random.int(0, 1e9)),
        jobCount: random.int(1, 50),
        isAllowlisted: random.int(0, 5) === 0,
        attributeKeys: value === '10.0.0.1' ? ['rfc1918'] : [],
        tags: random.int(0, 2) === 0 ? [{ name: 'apt/one', color: 'red' }] : [],
        severity: random.int(0, 1) === 0 ? null : severities[random.int(0, 4)]!,
        categories: random.int(0, 1) === 0 ? [] : ['credential_access', 'lateral_movement'],
      };
    });
}

describeWith('stix', 'documents for other programs', () => {
  // All that is recommended but one: our types of relationships are permitted, and none of those that are suggested.
  it('are valid STIX 2.1, and update what was imported before', () => {
    const documents = Array.from({ length: 30 }, (_, seed) => {
      const random = new Random(seed + 1);
      const written = indicators(random).flatMap((one) => {
        const object = indicatorObject(one);
        return object === null ? [] : [{ one, object }];
      });
      const [focal, ...others] = written.map(({ one }) => one);
      const related = others.flatMap((target) => [
        relationshipObject({ source: focal!, target, kind: null }),
        relationshipObject({
          source: target,
          target: focal!,
          kind: relationshipKinds[random.int(0, relationshipKinds.length - 1)]!,
          description: '3 event(s) show it',
        }),
      ]);
      const seen = [1, 2, 3].map((jobId) => sightingObject(focal!, { jobId, at: new Date(), events: jobId }));
      return bundle([identity, ...written.map(({ object }) => object), ...related, ...seen]);
    });
    const answer = ask({ what: 'stix', documents }) as { errors: string[]; stored: string[] }[];
    expect(answer).toEqual(
      documents.map(({ objects }) => ({
        errors: [],
        stored: (objects as { id: string }[]).map(({ id }) => id).sort(),
      })),
    );
  });

  describe('about cases', () => {
    let test: TestPorts;
    beforeAll(async () => (test = await openTestPorts()));
    afterAll(() => test.close());
    const { naming, userNamed } = entityFixture(async () => {
      await test.reset();
      return test.ports;
    });

    it('are valid STIX 2.1 and MISP, however the cases are', async () => {
      const { ports } = test;
      const ada = await userNamed('ada@example.org');
      const viewer = account(ada, 'member');
      const stix: object[] = [];
      const misp: object[] = [];
      for (let seed = 1; seed <= 30; seed++) {
        const random = new Random(seed);
        const places = named.map((_, place) => place).filter(() => random.int(0, 2) === 0);
        const shown = shownBy(random.int(1, 9), Date.UTC(2026, 7, seed));
        const jobs = [
          await naming(places.length > 1 ? places : [6, 8], { hasThreats: true }, seed, shown),
          await naming([random.int(0, named.length - 1)], { submittedBy: ada, isPrivate: true }, seed),
        ];
        const name = ['Phish "wave"', "O'Brien\\x", 'ユーザー 🦊', 'a'.repeat(200)][seed % 4]!;
        const { id } = await ports.cases.create({ name, ownerId: ada, isShared: false, at: linkedAt });
        for (const jobId of jobs) await ports.cases.link(id, { jobId, by: ada, at: linkedAt });
        // Every fifth is empty.
        for (const place of seed % 5 === 0 ? [] : places) {
          const [type, value] = named[place]!;
          const entity = (await ports.entities.find({ type, value }))!;
          await ports.cases.linkEntities(id, [entity], { by: ada, at: linkedAt });
        }
        const json = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as object;
        stix.push(json(await exportCaseStix(ports, viewer, { id, complete: seed % 2 === 0 })));
        misp.push(json(await exportCaseMisp(ports, viewer, { id, complete: seed % 2 === 0 })));
      }
      const stored = ask({ what: 'stix', documents: stix }) as { errors: string[]; stored: string[] }[];
      expect(stored).toEqual(
        (stix as { objects: { id: string }[] }[]).map(({ objects }) => ({
          errors: [],
          stored: objects.map(({ id }) => id).sort(),
        })),
      );
      const events = ask({ what: 'misp', documents: misp }) as { uuid: string; attributes: unknown[] }[];
      expect(events.map(({ uuid, attributes }) => [uuid, attributes.length])).toEqual(
        (misp as { Event: { uuid: string; Attribute: object[] } }[]).map(({ Event: event }) => [
          event.uuid,
          event.Attribute.length,
        ]),
      );
    });
  });

  it('are what MISP takes for an event', () => {
    const at = new Date('2026-08-01T10:00:00Z');
    const documents = Array.from({ length: 10 }, (_, seed) => {
      const info = `feed ${seed}`;
      return mispEvent({ uuid: feedEventId(info, at), info, at, indicators: indicators(new Random(seed + 1)) });
    });
    const expected = documents.map(({ Event: event }) => {
      const { uuid, Attribute: attributes } = event as {
        uuid: string;
        Attribute: { type: string; category: string; value: string; to_ids: boolean; Tag?: { name: string }[] }[];
      };
      return {
        uuid,
        attributes: attributes.map((one) => [
          one.type,
          one.category,
          one.value,
          one.to_ids,
          (one.Tag ?? []).map(({ name }) => name),
        ]),
      };
    });
    expect(ask({ what: 'misp', documents })).toEqual(expected);
  });
});
