import type { JobState } from '@svc/contracts';
import { emptySummary } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../service/service-error.ts';
import type { Service } from '../service/service.ts';
import { JobWatch } from './job-watch.ts';

const { signal } = new AbortController();
const state = (id: number, status: JobState['status']): JobState => ({
  job_id: id,
  status,
  partly_read: false,
  total_findings: 0,
  severity_summary: { ...emptySummary },
  error: null,
  job_url: `/jobs/${id}`,
});

/** A watch on a service that answers so, with the ids of each request. */
function watch(answer: (ids: number[], request: number) => unknown) {
  const requests: number[][] = [];
  const call = async (_operation: unknown, input: unknown): Promise<unknown> => {
    const ids = (input as { ids: string }).ids.split(',').map(Number);
    requests.push(ids);
    return answer(ids, requests.length);
  };
  return { requests, jobs: new JobWatch({ call } as Pick<Service, 'call'>, { signal }) };
}

describe('the watch on jobs', () => {
  it('asks for fifty at a time, in turn, until each is terminal', async () => {
    const { jobs, requests } = watch((ids, request) => ({
      jobs: ids.map((id) => state(id, id % 2 === 0 || request > 2 ? 'completed' : 'running')),
      unavailable_ids: [],
    }));
    const ids = Array.from({ length: 70 }, (_, at) => at + 1);
    const states = await Promise.all(ids.map((id) => jobs.end(id)));
    expect(states.map((one) => one?.job_id)).toEqual(ids);
    expect(requests.map(({ length }) => length)).toEqual([50, 45, 35]);
    expect(requests[1]!.slice(0, 20)).toEqual(ids.slice(50));
  });

  it('tells whoever waits for the same job, and that a job is gone', async () => {
    const { jobs, requests } = watch(() => ({ jobs: [state(1, 'failed')], unavailable_ids: [2] }));
    const ends = [jobs.end(1), jobs.end(1), jobs.end(2)];
    expect(await Promise.all(ends)).toMatchObject([{ status: 'failed' }, { status: 'failed' }, null]);
    expect(requests).toEqual([[1, 2]]);
    expect(await jobs.end(1)).toMatchObject({ status: 'failed' });
  });

  it('fails for all when nothing can be asked any more', async () => {
    const { jobs } = watch(() => {
      throw new ConnectionError('not trusted', { isFinal: true });
    });
    const ends = await Promise.allSettled([jobs.end(1), jobs.end(2)]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
