import { operations, type Operation, type OperationName } from '@svc/contracts';
import { scopes } from '@svc/domain';
import type { HttpResult } from '@svc/functions/http-event.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { refusal } from '../support/http-events.ts';
import {
  ask,
  close,
  cookies,
  namesJob,
  newAccount,
  ports,
  secret,
  signedInBy,
  stale,
  subjects,
  tokenOf,
  type Credentials,
  type JobSubject,
} from './access-service.ts';
import { expected, type Expected } from './access-table.ts';

const names = Object.keys(operations) as OperationName[];
const rows = expected.filter((row): row is Expected & { operation: OperationName } => row.operation in operations);
afterAll(close);

interface Caller extends Credentials {
  readonly name: string;
  readonly status: (row: Expected) => number;
  /** Whether the private job is none of its business. */
  readonly stranger: boolean;
}

const noScope = 403;
const callers: Caller[] = [
  { name: 'visitor', status: (row) => row.statuses.visitor, stranger: true },
  ...(['user', 'member', 'owner', 'admin'] as const).map((name) => ({
    name,
    cookie: cookies[name],
    status: (row: Expected) => row.statuses[name],
    stranger: name === 'user' || name === 'member',
  })),
  {
    name: 'token with all scopes',
    authorization: await tokenOf('member'),
    status: (row) => row.tokens?.status ?? noScope,
    stranger: true,
  },
  {
    name: 'owner’s token with all scopes',
    authorization: await tokenOf('owner'),
    status: (row) => row.tokens?.own ?? noScope,
    stranger: false,
  },
];
for (const scope of scopes) {
  callers.push({
    name: `token with ${scope} alone`,
    authorization: await tokenOf('member', [scope]),
    status: (row) => (row.tokens?.scope === scope ? row.tokens.status : noScope),
    stranger: true,
  });
}

describe('a private job', () => {
  const about = names.filter(namesJob);
  /** What a stranger sees of an answer: everything but the numbers that were in the request. */
  const seen = ({ statusCode, headers, body }: HttpResult, subject: JobSubject): unknown => [
    statusCode,
    // A download is named after the entity, of which each request has a new one.
    {
      ...headers,
      'x-request-id': '',
      'content-disposition': String(headers?.['content-disposition']).replace(/\d+/, 'ID'),
    },
    [...new Set([subject.job, subject.file, subject.finding])].reduce(
      (text, id) => text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID'),
      // Each request has an entity of its own.
      (body ?? '')
        .replace(/"request_id":"[^"]*"/, '')
        .replace(/^\{"id":\d+,"value":"u-[^"]*"/, '{')
        .replace(/"(?:first|last)_seen_at":"[^"]*"/g, ''),
    ),
  ];

  // First, while the list of jobs is short.
  it('stands in its submitter’s list and states, and in no one else’s', async () => {
    for (const name of ['listJobs', 'getJobStates'] as const) {
      const holders = [];
      for (const caller of callers) {
        const { body = '' } = await ask(name, caller, subjects.private);
        if (body.includes(`"/jobs/${subjects.private.job}"`)) holders.push(caller.name);
      }
      const tokens = name === 'listJobs' ? [] : ['owner’s token with all scopes'];
      expect([name, holders]).toEqual([name, ['owner', 'admin', ...tokens]]);
    }
  });

  it.each(about)('looks in %s to strangers as one that is not there', async (name) => {
    const strangers = callers.filter(({ stranger }) => stranger);
    const seenBy = async (subject: JobSubject) => {
      const answers: unknown[] = [];
      for (const caller of strangers) answers.push([caller.name, seen(await ask(name, caller, subject), subject)]);
      return answers;
    };
    expect(await seenBy(subjects.private)).toEqual(await seenBy(subjects.missing));
  });
});

describe.each(names)('%s', (name) => {
  const own = rows.filter(({ operation }) => operation === name);
  it('has its row in the table, or one for each kind of job', () => {
    expect(own.map(({ job }) => job)).toEqual(namesJob(name) ? ['public', 'private'] : [null]);
  });

  it.each(own)('answers everybody as its row says, about $job', async (row) => {
    const answers: unknown[] = [];
    for (const caller of callers) {
      const { statusCode, body = '' } = await ask(name, caller, subjects[row.job ?? 'missing']);
      answers.push([caller.name, statusCode, statusCode === caller.status(row) ? '' : body]);
      if (caller.stranger) expect([caller.name, body]).toEqual([caller.name, expect.not.stringContaining(secret)]);
    }
    expect(answers).toEqual(callers.map((caller) => [caller.name, caller.status(row), '']));
  });
});

describe('an API token that does not work', async () => {
  const demoted = await newAccount('member');
  const deactivated = await newAccount('member');
  const deleted = await newAccount('member');
  const bad = {
    'was revoked': await tokenOf('member'),
    'has expired': await tokenOf('member', scopes, -1),
    'is of a creator demoted to user': await tokenOf(demoted.name),
    'is of a deactivated creator': await tokenOf(deactivated.name),
    'is of a deleted creator': await tokenOf(deleted.name),
    'nobody has made': `Bearer svc_${'x'.repeat(43)}`,
    'is empty': 'Bearer',
  };
  const revoked = (await ports.apiTokens.list()).find(({ token }) => bad['was revoked'].includes(token.prefix));
  await ports.apiTokens.revoke(revoked!.token.id, new Date());
  await ports.accounts.update(demoted.id, { role: 'user' });
  await ports.accounts.update(deactivated.id, { isActive: false });
  await ports.accounts.delete(deleted.id);

  const credentials: readonly (Credentials & { readonly name: string })[] = [
    ...Object.entries(bad).map(([why, authorization]) => ({ name: why, authorization })),
    { name: 'was revoked, with a cookie beside it', authorization: bad['was revoked'], cookie: cookies.admin },
  ];

  it.each(names)('is refused by %s', async (name) => {
    for (const job of [subjects.public, subjects.private]) {
      for (const bearer of credentials)
        expect([bearer.name, ...refusal(await ask(name, bearer, job))]).toEqual([bearer.name, 401, 'bad_token']);
    }
  });

  it('works again when its creator does', async () => {
    await ports.accounts.update(demoted.id, { role: 'member' });
    const authorization = bad['is of a creator demoted to user'];
    expect((await ask('listWorkflows', { authorization })).statusCode).toBe(200);
  });
});

describe('a signed-in account', () => {
  it('that is demoted or deactivated has to sign in again', async () => {
    for (const change of [{ role: 'member' }, { isActive: false }] as const) {
      const { id, cookie } = await newAccount('admin');
      expect((await ask('listUsers', { cookie })).statusCode).toBe(200);
      expect((await ask('getJob', { cookie }, subjects.private)).statusCode).toBe(200);
      await ports.accounts.update(id, change);
      expect((await ask('listUsers', { cookie })).statusCode).toBe(401);
      expect((await ask('getJob', { cookie }, subjects.private)).statusCode).toBe(404);
    }
  });

  it('gives its password again for what its cookie alone shall not do', async () => {
    const { cookie } = await newAccount('admin');
    stale.add(cookie);
    const { session } = await signedInBy(cookie);
    const confirmed = names.filter((name) => (operations[name] as Operation).confirmed);
    expect(confirmed.sort()).toEqual([
      'changeAiProvider',
      'changeEngine',
      'changeEnrichmentService',
      'changeSiteSettings',
      'changeWorkflow',
      'clearAiProviderToken',
      'clearEnrichmentToken',
      'createAiProvider',
      'createApiToken',
      'createEnrichmentService',
      'createUser',
      'createWorkflow',
      'deleteAiProvider',
      'deleteEnrichmentService',
      'deleteUser',
      'duplicateAiProvider',
      'importWorkflows',
      'pruneActivity',
      'purgeOrphans',
      'setOutputRetention',
      'setUserActive',
      'setUserPassword',
      'setUserRole',
      'toggleEnrichmentService',
    ]);
    for (const name of confirmed) {
      await ports.sessionStore.note(session.id, { confirmedAt: new Date(Date.now() - 900_000) });
      expect([name, ...refusal(await ask(name, { cookie }))]).toEqual([name, 403, 'confirm_password']);
      expect((await ask('confirmPassword', { cookie })).statusCode).toBe(204);
      expect([name, Math.floor(Number((await ask(name, { cookie })).statusCode) / 100)]).toEqual([name, 2]);
    }
  });
});
