import { receivedAnalysis } from '@svc/adapters/testing/submit-log.ts';
import { writeComment } from '@svc/application/discussions/add-comment.ts';
import { drainHappenings } from '@svc/application/happenings/drain-happenings.ts';
import { recordSubmission } from '@svc/application/submissions/record-submission.ts';
import { usePorts } from '@svc/adapters/compose.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import { openSession } from '@svc/application/auth/open-session.ts';
import { resolveSession } from '@svc/application/auth/resolve-session.ts';
import { analyzeJob } from '@svc/application/analysis/analyze-job.ts';
import { storeBytes } from '@svc/application/rules/stored-object.ts';
import { takeRulePack } from '@svc/application/rules/take-rule-pack.ts';
import { createUpload } from '@svc/application/submissions/create-upload.ts';
import { createApiToken } from '@svc/application/admin/create-api-token.ts';
import { operations, type FindingList, type Operation, type OperationName } from '@svc/contracts';
import { fileNumber, scopes as allScopes, taxiiType, type Actor, type Role, type Scope } from '@svc/domain';
import type { HttpResult } from '@svc/functions/http-event.ts';
import { tarOf } from '@svc/engine/testing';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bodyOf, formOf, httpEvent } from '../support/http-events.ts';
import { signIn } from '../support/sessions.ts';
import { anyAlertRule, noAlertRule } from './access-alert-rule.ts';
import { anyEnrichment, noEnrichment } from './access-enrichment.ts';
import { anyAiRun, none } from './access-ai.ts';
import { announced, requests, ruleId, type Subject, type Visibility } from './access-table.ts';

/** In the names of the private job alone, so that an answer which holds it gives the job away. */
export const secret = 'payroll-of-the-board';

/** Headers and cookies that tell who asks. */
export interface Credentials {
  readonly cookie?: string;
  readonly authorization?: string;
}

export type JobSubject = Pick<
  Subject,
  'job' | 'file' | 'batch' | 'finding' | 'comment' | 'notification' | 'key' | 'case'
>;

const test = await openTestPorts({
  deployment: { debug: true, alertRulesPerAccount: 1_000_000, taxii: true, metricsToken: 'of monitoring' },
});
export const { ports } = test;
export const close = (): Promise<void> => test.close();
usePorts(ports);
const { handlers } = await import('@svc/functions/handlers.ts');
await test.reset();
const workflow = (await ports.workflows.list()).find(({ isDefault }) => isDefault)!.id;
const rule = `title: Whoami
id: ${ruleId}
logsource: { product: windows }
detection: { s: { Image: whoami.exe }, condition: s }
`;
const missing: JobSubject = {
  job: none,
  file: none,
  batch: none,
  finding: none,
  comment: none,
  notification: none,
  key: 'never-used',
  case: none,
};

export const cookies = {
  user: await signIn(ports, 'user'),
  member: await signIn(ports, 'member'),
  owner: await signIn(ports, 'member', 'owner'),
  admin: await signIn(ports, 'admin'),
};

/** An API token of the account with that name; `Bearer` and the secret. */
export async function tokenOf(name: string, scopes: readonly Scope[] = allScopes, days = 90): Promise<string> {
  const { id, email, role } = (await ports.accounts.findByEmail(`${name}@example.org`))!;
  const actor: Actor = { kind: 'account', userId: id, email, role, ip: '192.0.2.7' };
  const fields = { name: 'test', scopes: [...scopes], expires_in_days: days };
  return `Bearer ${(await createApiToken(ports, actor, fields)).token}`;
}

/** A new account, signed in. */
export async function newAccount(role: Role): Promise<{ name: string; id: string; cookie: string }> {
  const name = `a-${randomUUID()}`;
  const cookie = await signIn(ports, role, name);
  return { name, cookie, id: (await ports.accounts.findByEmail(`${name}@example.org`))!.id };
}

/** What the last request was about, until somebody has used it up. */
let unused: { readonly key: string; readonly subject: Subject } | null = null;

/**
 * Sends a good request for the operation about a job. Whoever is refused leaves its subject to the next who asks the
 * same, as readers do; so it also shows that a refusal changes nothing.
 */
export async function ask(name: OperationName, who: Credentials, about: JobSubject = missing): Promise<HttpResult> {
  const operation: Operation = operations[name];
  const key = `${name} ${about.job}`;
  if (unused?.key !== key) unused = { key, subject: await subjectFor(name, about) };
  const { subject } = unused;
  if (operation.confirmed) await confirmAgain(who);
  const asker = name === 'logout' && who.cookie !== undefined ? { ...who, cookie: await cookieToEnd(who.cookie) } : who;
  const result = await handlers[operation.area](eventOf(name, asker, subject));
  if (operation.method !== 'GET' && Number(result.statusCode) < 400) unused = null;
  return result;
}

/** Makes what a request for the operation names. */
async function subjectFor(name: OperationName, about: JobSubject): Promise<Subject> {
  const operation: Operation = operations[name];
  const { id: account } =
    operation.params === undefined ? { id: '' } : await newAccount(operation.area === 'cases' ? 'member' : 'user');
  const apiToken = name === 'revokeApiToken' ? await anyToken() : 1;
  const isTold = name.endsWith('Comment') || name === 'acknowledgeNotification';
  const told = isTold && about.job !== missing.job ? await toldOf(about.job) : {};
  const email = `b-${randomUUID()}@example.org`;
  const uploadToken = name === 'receiveUpload' ? await anyUpload() : '';
  const pack = isAboutRules(name)
    ? await compiledPack()
    : operation.area === 'rules' && name.includes('Rule')
      ? await anyPack()
      : '';
  const packUpload = name === 'importRulePack' ? await anyPackUpload() : '';
  const list = name.endsWith('RuleList') ? await anyList() : 1;
  const session = name === 'endSession' ? (await anySession('owner')).session : 'f'.repeat(32);
  const spareJob = name.startsWith('deleteJob') ? await anyJob() : 1;
  const compiled = name === 'getCompiledRules' ? await anyCompiledRules() : '';
  const named =
    ['intel', 'feeds', 'cases', 'ai'].includes(operation.area) || name === 'toggleStar'
      ? await anyEntity(operation.path.startsWith('/intel/relationships/'))
      : { entity: none, relationship: none };
  const inCase =
    operation.path.includes('/cases/') && about.job !== missing.job
      ? { case: await anyCase(about.job, named.entity) }
      : {};
  const model = about.job === subjects.private.job ? secret : 'm';
  const ai = await anyAiRun(ports, operation.area, { name, job: about.job, caseId: inCase.case, model });
  const tags = operation.area === 'tags' ? await anyTags() : (['a', 'b'] as const);
  const task = operation.path.startsWith('/admin/tasks/{id}') ? await anyTask() : none;
  const queued = name === 'revokeQueuedTask' ? await anyQueuedTask() : 'never-queued';
  const spareWorkflow = operation.path.startsWith('/admin/workflows/{id}') ? await anyWorkflow() : none;
  const intel = { ...named, tags, task, queued, spareWorkflow, ...(await anyEnrichment(ports, name, named.entity)) };
  const ruled =
    operation.path.startsWith('/intel/rules/') && operation.params !== undefined
      ? await anyAlertRule(ports, (await anyEntity(false)).entity, subjects.public.job)
      : noAlertRule;
  const made = {
    spareJob,
    account,
    session,
    apiToken,
    uploadToken,
    pack,
    packUpload,
    compiled,
    email,
    list,
    ...ai,
    ...intel,
    ...ruled,
  };
  return { ...about, ...told, ...inCase, workflow, ...made };
}

/** Who a cookie signs in, and its session. */
export async function signedInBy(cookie: string) {
  const actor = await resolveSession(ports, { token: cookie.split('=')[1]!, ip: '' });
  if (actor.kind === 'anonymous' || !actor.session) throw new Error('the session has ended');
  return { ...actor, session: actor.session };
}

function anyWorkflow(): Promise<number> {
  const says = { name: randomUUID(), description: '', logTypes: [], definition: 'tasks: [{ tool: sigma-native }]' };
  return ports.workflowStore.add({ ...says, isDefault: false, enabled: true }, new Date());
}

async function anyList(): Promise<number> {
  const name = `l${randomUUID().replaceAll('-', '')}`;
  const fields = { name, match: 'exact', description: '', values: ['a'], sourceUrl: null, refreshHours: 0 } as const;
  return (await ports.ruleLists.add(fields, new Date()))!.id;
}

async function anySession(name: string): Promise<{ cookie: string; session: string }> {
  const account = (await ports.accounts.findByEmail(`${name}@example.org`))!;
  const cookie = `svc_auth=${await openSession(ports, account, { ip: '192.0.2.9', userAgent: undefined })}`;
  return { cookie, session: (await signedInBy(cookie)).session.id };
}

/** A session beside the one of this cookie, which others go on using. */
async function cookieToEnd(cookie: string): Promise<string> {
  return (await anySession((await signedInBy(cookie)).email.split('@')[0]!)).cookie;
}

/** These tests may take longer than a password that was given is good for. */
async function confirmAgain({ cookie }: Credentials): Promise<void> {
  if (cookie === undefined || stale.has(cookie)) return;
  await ports.sessionStore.note((await signedInBy(cookie)).session.id, { confirmedAt: new Date() });
}

/** Cookies of sessions whose password was given too long ago. */
export const stale = new Set<string>();

async function anyJob(): Promise<number> {
  const sha256 = randomUUID().replaceAll('-', '').repeat(2);
  const file = { originalName: 'a.evtx', storageKey: `${sha256.slice(32)}.evtx`, sha256, sizeBytes: 1 };
  const named = { submittedName: 'a.evtx', logType: 'evtx', isPrivate: false } as const;
  const { job } = await recordSubmission(ports, {
    file: { ...file, detectedType: 'evtx', uploaderIp: '' },
    job: { workflowId: workflow, submittedBy: null, submitterIp: '', ...named },
    reuse: null,
    marks: { receipt: null, upload: null, caseId: null, tags: [], by: null, at: new Date() },
  });
  return job.id;
}

/** One that a private job alone names; `isRelated`, with a relationship that this job alone shows. */
async function anyEntity(isRelated: boolean): Promise<{ entity: number; relationship: number }> {
  const named = { type: 'user', value: `u-${randomUUID()}`, count: 1 } as const;
  const program = { type: 'executable', value: 'whoami.exe', count: 1 } as const;
  const runsAs = {
    type: 'runs_as',
    source: 1,
    target: 0,
    count: 1,
    failed: 0,
    observedFrom: 0,
    observedTo: 0,
  } as const;
  const describe = { version: 1, describe: () => ({ attributes: null, keys: [] }) };
  await ports.transaction(async (tx) => {
    await tx.jobs.hold([subjects.private.job]);
    const intel = {
      entities: isRelated ? [named, program] : [named],
      findings: [],
      relationships: isRelated ? [{ ...runsAs, samples: [{ Computer: secret }] }] : [],
    };
    const jobId = subjects.private.job;
    await tx.intel.replace([{ jobId, intel, at: new Date(), isLocal: false }], describe);
  });
  const entity = (await ports.entities.find(named))!;
  if (!isRelated) return { entity, relationship: none };
  const all = { job: null, kinds: null, from: null, to: null, most: 1 };
  const { relations } = await ports.entityLinks.relations({ kind: 'anonymous', ip: '' }, entity, all);
  return { entity, relationship: relations[0]!.id };
}

async function anyTags(): Promise<readonly [string, string]> {
  const names = [`a-${randomUUID()}`, `b-${randomUUID()}`] as const;
  const wanted = names.map((name) => ({ name, color: null }));
  await ports.transaction((tx) => tx.tags.create(wanted, { description: null, by: null, at: new Date() }));
  return names;
}

async function anyTask(): Promise<number> {
  const task = { kind: 'recalculate_single_analytics', targetId: await anyJob(), requestedBy: '' } as const;
  // So long ago that no worker can be at it.
  return (await ports.backgroundTasks.request(task, new Date(0))).id;
}

async function anyQueuedTask(): Promise<string> {
  const key = randomUUID();
  await ports.tasks.enqueue({ kind: 'token-prune' }, { key });
  return key;
}

async function anyToken(): Promise<number> {
  await tokenOf('member');
  return (await ports.apiTokens.list())[0]!.token.id;
}

/** A comment of the owner's on a job, and a notification of the owner's of it: made anew, since requests end both. */
async function toldOf(jobId: number): Promise<Pick<JobSubject, 'comment' | 'notification'>> {
  const { id: userId, email } = (await ports.accounts.findByEmail('owner@example.org'))!;
  const [on, at] = [{ target: 'job', id: jobId } as const, new Date()];
  const summary = (await ports.jobs.get(jobId))!.job.isPrivate ? secret : 'shared';
  await ports.watches.begin(userId, jobId, at);
  await writeComment(ports, { on, authorId: userId, body: summary, at });
  const { comments } = await ports.comments.thread(on, { before: null, limit: 1 });
  const refId = comments[0]!.id;
  await writeComment(ports, { on, authorId: (await newAccount('user')).id, body: summary, at });
  await drainHappenings(ports);
  const owner: Actor = { kind: 'account', userId, email, role: 'member', ip: '' };
  return { comment: refId, notification: (await ports.watchEvents.newest(owner, 1))[0]!.id };
}

/** A case of the owner's with both jobs and an entity; the one that goes with the public job is shared. */
async function anyCase(job: number, entity: number): Promise<number> {
  const { id: ownerId } = (await ports.accounts.findByEmail('owner@example.org'))!;
  const isShared = job !== subjects.private.job;
  const at = new Date();
  return ports.transaction(async (tx) => {
    const { id } = await tx.cases.create({ name: isShared ? 'Phish wave' : secret, ownerId, isShared, at });
    for (const jobId of [subjects.public.job, subjects.private.job])
      await tx.cases.link(id, { jobId, by: ownerId, at });
    await tx.caseLinks.add(id, { kind: 'entity', ids: [entity], by: ownerId, at, note: null });
    return id;
  });
}

async function anyPack(): Promise<string> {
  const name = `pack-${randomUUID()}`;
  const reportKey = await storeBytes(ports, '.json', Buffer.from('{"rejected":[],"retired":[],"warnings":[]}'));
  const counts = { loaded: 1, rejected: 0, retired: 0, warnings: 0 };
  const version = { version: '1', digest: 'a'.repeat(64), licence: null, datedAt: '2026-08-01', ...counts };
  const origin = { url: null, source: 'a.zip', importedAt: new Date(), importedBy: null, filesKey: reportKey };
  await ports.rulePacks.putInForce({ name, ...version, ...origin, reportKey });
  return name;
}

/** What is asked of the rules themselves needs real ones. */
function isAboutRules(name: OperationName): boolean {
  return name === 'listRules' || name === 'getRule' || name === 'overrideRule';
}

async function compiledPack(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'svc-access-'));
  await writeFile(join(path, 'a.yml'), rule);
  const origin = { path, fileName: 'a.zip', source: 'a.zip', url: null };
  const { name } = await takeRulePack(ports, origin, { name: `pack-${randomUUID()}`, version: '1' }, null);
  await rm(path, { recursive: true });
  return name;
}

async function anyCompiledRules(): Promise<string> {
  const digest = createHash('sha256').update(randomUUID()).digest('hex');
  const storageKey = await storeBytes(ports, '.rules', Buffer.from('rules'));
  await ports.ruleArtifacts.add({ digest, storageKey, loaded: 1 }, new Date());
  return digest;
}

async function anyPackUpload(): Promise<string> {
  const bytes = gzipSync(tarOf([{ name: 'a.yml', bytes: Buffer.from(rule) }]));
  async function* content(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  }
  const { key } = await ports.objects.create('.gz', content());
  const id = randomUUID().replaceAll('-', '');
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 60_000)];
  const slot = { id, fileName: `${id}.tgz`, sizeBytes: bytes.length, sha256: 'a'.repeat(64), userId: null, ip: '' };
  await ports.uploads.create({ ...slot, storageKey: key, createdAt, expiresAt }, { owner: 'nobody', maxBytes: 0 });
  return id;
}

async function anyUpload(): Promise<string> {
  const { url } = await createUpload(ports, { kind: 'anonymous', ip: '192.0.2.7' }, announced, { origin: '' });
  return url.split('/').at(-1)!;
}

function eventOf(name: OperationName, { authorization, cookie }: Credentials, subject: Subject) {
  const operation: Operation = operations[name];
  const { params = {}, query, body, headers } = requests[name](subject);
  const path = operation.path.replace(/\{(\w+)\+?\}/g, (_, param: string) => String(params[param]));
  const fields = Object.fromEntries(Object.entries(body ?? {}).map(([field, value]) => [field, String(value)]));
  const file = { name: 'a.evtx', bytes: Buffer.from(`ElfFile\0${randomUUID()}`) };
  return httpEvent(operation.method, path, {
    ...(cookie !== undefined && { cookies: [cookie] }),
    ...(query && { query }),
    ...(operation.file ? { form: formOf(ports, fields, file) } : { body: JSON.stringify(body ?? {}) }),
    headers: {
      'content-type': 'application/json',
      'content-length': '1000',
      origin: 'https://svc.example.org',
      ...(authorization !== undefined && { authorization }),
      ...(operation.taxii && { accept: taxiiType }),
      ...headers,
    },
  });
}

/** Whether the operation's request differs from job to job, or from case to case. */
export function namesJob(name: OperationName): boolean {
  const rest = {
    workflow,
    spareJob: 1,
    spareWorkflow: none,
    account: randomUUID(),
    session: 'f'.repeat(32),
    apiToken: 1,
    uploadToken: '',
    pack: '',
    packUpload: '',
    list: 1,
    compiled: '',
    email: 'c@example.org',
    entity: 1,
    relationship: 1,
    tags: ['a', 'b'] as const,
    task: 1,
    queued: 'a',
    ...noEnrichment,
    provider: 1,
    run: 1,
    ...noAlertRule,
  };
  const other: JobSubject = {
    job: 1,
    file: 1,
    batch: 1,
    finding: 1,
    comment: 1,
    notification: 1,
    key: 'another',
    case: 1,
  };
  return (
    JSON.stringify(requests[name]({ ...missing, ...rest })) !== JSON.stringify(requests[name]({ ...other, ...rest }))
  );
}

async function submitted(visibility: Visibility): Promise<JobSubject> {
  const key = `key-of-${visibility}`;
  const file = {
    name: `${visibility === 'private' ? secret : 'shared'}.evtx`,
    bytes: Buffer.from(`ElfFile\0${visibility}`),
  };
  const form = formOf(ports, { workflow_id: String(workflow), is_private: String(visibility === 'private') }, file);
  const headers = { origin: 'https://svc.example.org', 'content-length': '1000', 'idempotency-key': key };
  const submissions = handlers.submissions;
  const result = await submissions(httpEvent('POST', '/upload', { form, headers, cookies: [cookies.owner] }));
  const { job_id: job } = bodyOf(result) as { job_id: number };
  const lease = await receivedAnalysis(ports);
  await analyzeJob(ports, lease, new AbortController().signal);
  await ports.tasks.acknowledge(lease);
  const report = handlers.report;
  const listed = await report(httpEvent('GET', `/jobs/${job}/findings`, { cookies: [cookies.owner] }));
  const finding = (bodyOf(listed) as FindingList).findings[0]!.id;
  const batch = await ports.batches.create({ jobIds: [job], by: null, at: new Date() });
  return {
    job,
    batch,
    file: fileNumber((await ports.jobs.get(job))!.file.sha256),
    finding,
    ...(await toldOf(job)),
    key,
    case: none,
  };
}

/** Two jobs of the owner's, analysed, and one that there is not. */
export const subjects = { public: await submitted('public'), private: await submitted('private'), missing };
