import { entityFixture, named, shownBy } from '@svc/adapters/contract/entity-fixture.ts';
import { account, at as linkedAt } from '@svc/adapters/contract/job-fixture.ts';
import { linkEntities } from '@svc/adapters/testing/link-entities.ts';
import { openTestPorts, type TestPorts } from '@svc/adapters/testing/test-ports.ts';
import { exportCaseMisp, exportCaseStix } from '@svc/application/feeds/case-documents.ts';
import type { Indicator } from '@svc/application/feeds/indicators.ts';
import { feedEventId, mispEvent } from '@svc/application/feeds/misp.ts';
import { bundle, identity, indicatorObject, relationshipObject, sightingObject } from '@svc/application/feeds/stix.ts';
import type { EntityList, Workflow } from '@svc/contracts';
import { entityTypes, relationshipKinds, severities } from '@svc/domain';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../samples/random.ts';
import { describeWith } from '../support/programs.ts';
import { startServer, type Server } from '../support/server.ts';

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
elif asked["what"] == "taxii":
    import requests
    from taxii2client.v21 import Server, as_pages
    class Bearer(requests.auth.AuthBase):
        def __call__(self, request):
            request.headers["Authorization"] = "Bearer " + asked["token"]
            return request
    answer = {}
    for root in Server(asked["url"], auth=Bearer()).api_roots:
        for collection in root.collections:
            after = {"added_after": asked["after"][collection.title]} if asked["after"] else {}
            pages = list(as_pages(collection.get_objects, per_request=asked["limit"], **after))
            listed = [one for page in as_pages(collection.get_manifest, per_request=500, **after) for one in page.get("objects", [])]
            found = [one for page in pages for one in page.get("objects", []) if one["type"] == "indicator"]
            answer[collection.title] = {
                "pages": [len(page.get("objects", [])) for page in pages],
                "indicators": [[one["id"], one["name"]] for one in found],
                "listed": [[one["id"], one["date_added"]] for one in listed],
                "one": [collection.get_object(one["id"])["objects"] == [one] for one in found[:1]],
                "first": pages[0],
            }
elif asked["what"] == "feed":
    from pymisp import MISPEvent
    answer = []
    for document in asked["documents"]:
        event = MISPEvent()
        event.load(document)
        manifest = json.loads(json.dumps(event.manifest[event.uuid], default=lambda one: one.to_dict() if hasattr(one, "to_dict") else str(one)))
        answer.append({"uuid": event.uuid, "manifest": manifest, "hashes": sorted(event.attributes_hashes("md5"))})
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

interface Walked {
  readonly pages: readonly number[];
  readonly indicators: readonly (readonly [id: string, name: string])[];
  readonly listed: readonly (readonly [id: string, dateAdded: string])[];
  readonly one: readonly boolean[];
  readonly first: { readonly objects: readonly object[] };
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
          await linkEntities(ports, id, [entity], { by: ada, at: linkedAt });
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

describeWith('stix', 'a running service', () => {
  const [email, password] = ['root@example.org', 'correct horse battery'];
  let server: Server;
  let cookie: string;
  let token: string;
  beforeAll(async () => {
    const limits = { API_TOKEN_RATE_LIMIT_PER_MINUTE: '0' };
    const env = {
      ...limits,
      TAXII_ENABLED: 'true',
      COOKIE_INSECURE: 'true',
      ADMIN_EMAIL: email,
      ADMIN_PASSWORD: password,
    };
    server = await startServer({ env });
    const body = new URLSearchParams({ username: email, password });
    const signedIn = await fetch(`${server.url}/auth/cookie/login`, { method: 'POST', body });
    cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const scopes = ['taxii:read', 'ioc_feed:read', 'intel:read', 'job:submit', 'job:read'];
    const made = await fetch(`${server.url}/admin/api-tokens`, {
      method: 'POST',
      headers: { cookie, origin: server.url, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'peers', scopes }),
    });
    token = ((await made.json()) as { token: string }).token;
  });
  afterAll(async () => {
    await server?.stop();
    await server?.remove();
  });

  const get = (path: string) => fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
  /** A web server’s log with these addresses; submitted, and what it names is stored. */
  const submit = async (name: string, numbers: readonly number[]): Promise<void> => {
    const lines = numbers.map(
      (one) => `${addressOf(one)} - - [01/Aug/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "-"\n`,
    );
    const form = new FormData();
    form.append('file', new File(lines, name));
    const { workflows } = (await (await get('/api/v1/workflows')).json()) as {
      workflows: Workflow[];
    };
    form.append('workflow_id', String(workflows.find((one) => one.log_types.includes('web_access'))!.id));
    const headers = { authorization: `Bearer ${token}` };
    const sent = await fetch(`${server.url}/api/v1/jobs`, { method: 'POST', headers, body: form });
    expect([sent.status, await sent.text()]).toEqual([202, expect.any(String)]);
    const last = addressOf(numbers.at(-1)!);
    const counted = async () => {
      const found = (await (await get(`/intel/entities?q=${last}`)).json()) as EntityList;
      return found.items.find(({ value }) => value === last)?.job_count;
    };
    await expect.poll(counted, { timeout: 240_000, interval: 500 }).toBe((jobs.get(last) ?? 0) + 1);
    for (const one of numbers) jobs.set(addressOf(one), (jobs.get(addressOf(one)) ?? 0) + 1);
  };
  const jobs = new Map<string, number>();
  const walk = (limit: number, after: object | null = null) =>
    ask({ what: 'taxii', url: `${server.url}/taxii2/`, token, limit, after }) as Record<
      'live-iocs' | 'watched-iocs',
      Walked
    >;

  it('is read by a TAXII client to the end, and polled for what has changed', async () => {
    const numbers = Array.from({ length: 25_000 }, (_, number) => number);
    await submit('first.log', numbers.slice(0, 12_500));
    await submit('second.log', numbers.slice(12_500));
    const { 'live-iocs': all, 'watched-iocs': watched } = walk(500);
    expect(all.indicators.map(([, name]) => name).sort()).toEqual(numbers.map(addressOf).sort());
    expect(new Set(all.indicators.map(([id]) => id)).size).toBe(25_000);
    expect(all.listed.slice(1).map(([id]) => id)).toEqual(all.indicators.map(([id]) => id));
    expect([all.pages.slice(0, -1).every((size) => size === 500), all.one]).toEqual([true, [true]]);
    expect(watched.indicators).toEqual([]);
    const last = (walked: Walked) => walked.listed.at(-1)![1];
    const after = { 'live-iocs': last(all), 'watched-iocs': last(watched) };
    expect(walk(100, after)['live-iocs']).toMatchObject({ pages: [0], listed: [] });
    const changed = [...numbers.filter((number) => number % 80 === 0), 30_000, 30_001];
    await submit('third.log', changed);
    const news = walk(100, after);
    expect(news['live-iocs'].indicators.map(([, name]) => name).sort()).toEqual(changed.map(addressOf).sort());
    const again = { ...after, 'live-iocs': last(news['live-iocs']) };
    expect(walk(100, again)['live-iocs'].indicators).toEqual([]);
    const documents = [bundle(all.first.objects as Parameters<typeof bundle>[0])];
    expect(ask({ what: 'stix', documents })).toMatchObject([{ errors: [] }]);
  }, 900_000);

  it('is fetched by MISP as a feed', async () => {
    const manifest = (await (await get('/intel/ioc-feed/misp/manifest.json')).json()) as Record<string, object>;
    const uuids = Object.keys(manifest);
    const documents = await Promise.all(
      uuids.map(async (uuid) => (await get(`/intel/ioc-feed/misp/${uuid}.json`)).json()),
    );
    const events = ask({ what: 'feed', documents }) as {
      uuid: string;
      manifest: Record<string, unknown>;
      hashes: string[];
    }[];
    const hashes = (await (await get('/intel/ioc-feed/misp/hashes.csv')).text())
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    expect(events.map(({ uuid }) => uuid)).toEqual(uuids);
    for (const { uuid, manifest: own, hashes: digests } of events) {
      const { Orgc: creator, Tag: tags, ...rest } = manifest[uuid] as { Orgc: object; Tag: object[] };
      expect(texts(own)).toEqual(texts(rest));
      expect(own).toMatchObject({ Orgc: creator, Tag: tags });
      expect(digests).toEqual(
        hashes
          .filter(([, of]) => of === uuid)
          .map(([digest = '']) => digest)
          .sort(),
      );
    }
    expect(hashes).toHaveLength(jobs.size);
    expect((await get(`/intel/ioc-feed/misp/${randomUUID()}.json`)).status).toBe(404);
  });
});

/** Public ones, since nothing is said of which those of documentation are. */
function addressOf(number: number): string {
  return `81.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
}

/** What is said in plain words, numbers among them. */
function texts(said: object): object {
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => (typeof value === 'object' ? [] : [[name, String(value)]])),
  );
}
