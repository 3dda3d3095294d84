import type { EntityRow, JobRow, Me } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { loginView } from '../features/auth/login-view.ts';
import { entriesFor } from './all-entries.ts';
import type { Viewer } from './entries.ts';
import { entityFor, paletteItems, searchFor } from './palette-items.ts';
import { readSearch, writeSearch } from './url-state.ts';

const job = (id: number, filename: string) => ({ job_id: id, filename, status: 'completed' }) as JobRow;
const jobs = [job(42, 'Security.evtx'), job(41, 'auth.log')];
const actions = [{ label: 'Sign out', run: () => undefined }];
const labels = (query: string, viewer: Viewer = null, found = jobs) =>
  paletteItems(query, { entries: entriesFor(viewer), actions, jobs: found }).map(({ label }) => label);

describe('paletteItems', () => {
  it('lists pages and recent jobs at first', () => {
    expect(labels('')).toEqual(['Submit', 'Jobs', 'Guide', 'Sign in', 'Security.evtx', 'auth.log']);
  });

  it('lists the pages that the viewer may open, and no others', () => {
    const as = (role: Me['role']) => labels('', { role } as Me, []);
    expect(as('admin')).toEqual([
      'Submit',
      'Jobs',
      'Cases',
      'Entities',
      'Alert rules',
      'Rules',
      'Feeds',
      'Tags',
      'Dashboard',
      'Users',
      'API tokens',
      'Rule packs',
      'AI providers',
      'Workflows',
      'Engines',
      'Enrichment',
      'Tasks',
      'Workers',
      'Storage',
      'Activity',
      'Settings',
      'Guide',
      'Watched jobs',
      'Account',
    ]);
    expect(as('member')).toEqual([
      'Submit',
      'Jobs',
      'Cases',
      'Entities',
      'Alert rules',
      'Rules',
      'Feeds',
      'Tags',
      'Guide',
      'Watched jobs',
      'Account',
    ]);
    expect(as('user')).toEqual(['Submit', 'Jobs', 'Guide', 'Watched jobs', 'Account']);
    expect(entriesFor(undefined).map(({ label }) => label)).toEqual(['Submit', 'Jobs', 'Guide']);
  });

  it('lists what logs name behind the jobs, and asks for it by plain text alone', () => {
    const entities = [{ id: 9, value: 'evil.example' }] as EntityRow[];
    const found = paletteItems('evil', { entries: [], actions: [], jobs, entities });
    expect(found.map(({ kind }) => kind)).toEqual(['job', 'job', 'search', 'entity']);
    expect(['evil', 'ab', '#42', 'host:ws01', '-tag:x', '"a b"', 'CORP\\al'].map(entityFor)).toEqual([
      'evil',
      '',
      '',
      '',
      '',
      '',
      'CORP\\al',
    ]);
  });

  it.each([
    ['#7', ['Job 7']],
    ['42', ['Job 42']],
    ['jo', ['Jobs']],
    ['SIGN', ['Sign in', 'Sign out']],
    ['nothing', []],
  ])('%s leads to %j', (query, expected) => {
    expect(labels(query, null, [])).toEqual(expected);
  });

  it('ends with the jobs that were found, but for a number, which names its own', () => {
    expect(labels('status:completed')).toEqual(['Security.evtx', 'auth.log', 'All jobs for status:completed']);
    expect(labels('7')).toEqual(['Job 7']);
  });

  it.each([
    ['', ''],
    ['a', ''],
    ['#42', ''],
    [' Security.evtx ', 'Security.evtx'],
    ['status:failed', 'status:failed'],
    ['DEADBEEF', 'hash:DEADBEEF'],
    ['10.0.0.5', 'ip:10.0.0.5 OR 10.0.0.5'],
    ['host:ws01 OR user:bob', 'host:ws01 OR user:bob'],
    ['deadbee', 'deadbee'],
  ])('asks for the jobs of “%s” by “%s”', (query, expected) => {
    expect(searchFor(query)).toBe(expected);
  });
});

describe('search parameters', () => {
  it('read well and come back as they were', () => {
    const text = writeSearch({ severity: ['critical', 'high'], q: 'a b&c', tactic: undefined, page: 2, tab: '' });
    expect(text).toBe('?severity=critical,high&q=a+b%26c&page=2');
    expect(readSearch(text)).toEqual({ severity: 'critical,high', q: 'a b&c', page: '2' });
    expect(writeSearch({})).toBe('');
  });
});

describe('loginView', () => {
  it('keeps to this site', () => {
    expect(loginView({ next: '/jobs/4', changed: 'true' })).toEqual({ next: '/jobs/4', changed: true });
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 7])
      expect(loginView({ next })).toEqual({});
  });
});
