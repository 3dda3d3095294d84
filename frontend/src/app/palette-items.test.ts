import type { JobRow } from '@svc/contracts';
import { describe, expect, it } from 'vitest';
import { loginView } from '../features/auth/login-view.ts';
import { paletteItems } from './palette-items.ts';
import { readSearch, writeSearch } from './url-state.ts';

const job = (id: number, filename: string) => ({ job_id: id, filename, status: 'completed' }) as JobRow;
const jobs = [job(42, 'Security.evtx'), job(41, 'auth.log')];
const labels = (query: string) => paletteItems(query, jobs, new Map([[41, 'abcdef0123']])).map(({ label }) => label);

describe('paletteItems', () => {
  it('lists pages and recent jobs at first', () => {
    expect(labels('')).toEqual(['Submit', 'Jobs', 'Guide', 'Sign in', 'Security.evtx', 'auth.log']);
  });

  it.each([
    ['#7', ['Job 7']],
    ['42', ['Job 42']],
    ['jo', ['Jobs']],
    ['SECUR', ['Security.evtx']],
    ['ABCDEF', ['auth.log']],
    ['abcde', []],
    ['nothing', []],
  ])('%s leads to %j', (query, expected) => {
    expect(labels(query)).toEqual(expected);
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
    expect(loginView({ next: '/jobs/4' })).toEqual({ next: '/jobs/4' });
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 7])
      expect(loginView({ next })).toEqual({});
  });
});
