import { describe, expect, it } from 'vitest';
import { completed, jobsView } from './jobs-view.ts';

describe('jobsView', () => {
  it('reads an address and drops what makes no sense', () => {
    expect(jobsView({ page: '3', per: '50', view: 'roomy' })).toEqual({ page: 3, per: 50, view: 'roomy' });
    expect(jobsView({ page: '0', per: '33', view: 'huge' })).toEqual({});
  });

  it('fills gaps from the last visit, then from the defaults', () => {
    expect(completed({ page: 2 }, { per: 100 })).toEqual({ page: 2, per: 100, view: 'compact' });
    expect(completed({ per: 50 }, { per: 100, view: 'roomy' })).toEqual({ page: 1, per: 50, view: 'roomy' });
  });
});
