import { describe, expect, it } from 'vitest';
import { completed, jobsView } from './jobs-view.ts';

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

  it('fills gaps from the last visit, then from the defaults', () => {
    const none = { q: '', tags: [] };
    expect(completed({ page: 2 }, { per: 100 })).toEqual({ ...none, page: 2, per: 100, view: 'compact' });
    expect(completed({ q: 'x', per: 50 }, { per: 100, view: 'roomy' })).toEqual({
      q: 'x',
      tags: [],
      page: 1,
      per: 50,
      view: 'roomy',
    });
  });
});
