import { describe, expect, it } from 'vitest';
import { completed, jobsView, sortingOf } from './jobs-view.ts';

describe('jobsView', () => {
  it('reads an address and drops what makes no sense', () => {
    const address = { q: ' status:failed ', tags: 'VIP, seen', page: '3', per: '50', view: 'roomy' };
    expect(jobsView(address)).toEqual({ q: 'status:failed', tags: ['vip', 'seen'], page: 3, per: 50, view: 'roomy' });
    expect(jobsView({ q: ' ', tags: ',', page: '0', per: '33', view: 'huge' })).toEqual({});
  });

  it('takes its own output', () => {
    const view = { q: 'a "b c"', tags: ['x', 'y z'], page: 2 };
    expect(jobsView({ ...view })).toEqual(view);
  });

  it('knows a cursor only beside the page that it leads to', () => {
    const view = { page: 300, cursor: 'older-1785542400000-7' };
    expect(jobsView({ ...view, page: '300' })).toEqual(view);
    expect(jobsView({ ...view, page: '1' })).toEqual({});
  });

  it('sorts by a column, and turns round what is sorted by it already', () => {
    expect(jobsView({ sort: 'severity', order: 'asc', page: '1' })).toEqual({ sort: 'severity', order: 'asc' });
    expect(jobsView({ sort: 'created', order: 'desc' })).toEqual({});
    const click = (view: object, by: 'created' | 'severity') => jobsView({ ...view, ...sortingOf(view).chosen(by) });
    expect(click({ page: 4 }, 'severity')).toEqual({ sort: 'severity' });
    expect(click({ sort: 'severity' }, 'severity')).toEqual({ sort: 'severity', order: 'asc' });
    expect(click({ sort: 'severity', order: 'asc' }, 'severity')).toEqual({ sort: 'severity' });
    expect(click({ sort: 'severity', order: 'asc' }, 'created')).toEqual({});
    expect(click({}, 'created')).toEqual({ order: 'asc' });
  });

  it('fills gaps from the last visit', () => {
    const none = { q: '', tags: [] };
    const kept = { per: 100, view: 'roomy' } as const;
    expect(completed({ page: 2 }, kept)).toEqual({ ...none, ...kept, page: 2 });
    expect(completed({ q: 'x', per: 50 }, kept)).toEqual({
      q: 'x',
      tags: [],
      page: 1,
      per: 50,
      view: 'roomy',
    });
  });
});
