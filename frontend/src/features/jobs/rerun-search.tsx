import { Button } from '@mantine/core';
import { call, operations, type OutputOf } from '@svc/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import type { JobSearch } from '../../api/queries.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure, Form } from '../../ui/form.tsx';
import { count, counted } from '../../ui/format.ts';
import { Skeleton } from '../../ui/states.tsx';
import { rerunOutcome } from './rerun.ts';

type Plan = OutputOf<typeof operations.rerunJobs>;

/** Counts what a search finds before all of it is analysed again, and says what became of it. */
export function RerunSearch({ search, onClose }: { search: JobSearch; onClose: () => void }) {
  const wanted = { q: search.q, tags: [...search.tags] };
  const plan = useQuery({
    queryKey: queryKey(operations.rerunJobs, wanted),
    queryFn: () => call(operations.rerunJobs, { ...wanted, dry_run: true }),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const rerun = useMutation({
    mutationFn: () => call(operations.rerunJobs, { ...wanted, dry_run: false }),
    onSuccess: () => invalidate(queryKey(operations.listJobs)),
  });
  return (
    <Dialog title="Re-run what this search finds?" onClose={onClose}>
      {rerun.data ? (
        <Said words={rerunOutcome(rerun.data.jobs).text} onClose={onClose} />
      ) : plan.error ? (
        <Failure error={plan.error} />
      ) : plan.data === undefined ? (
        <Skeleton height={40} />
      ) : hindrance(plan.data) === null ? (
        <>
          <p className="soft">
            It finds {counted(plan.data.matched, 'job')}; {counted(plan.data.analyses, 'analysis', 'analyses')} of files
            that you may run again {plan.data.analyses === 1 ? 'is' : 'are'} repeated with the rules in force now. Each
            becomes a new job, and the reports of today stay.
          </p>
          <Form
            error={rerun.error}
            onSubmit={() => rerun.mutate()}
            actions={
              <DialogButtons
                words={`Run ${counted(plan.data.analyses, 'analysis', 'analyses')} again`}
                pending={rerun.isPending}
                onClose={onClose}
              />
            }
          >
            {null}
          </Form>
        </>
      ) : (
        <Said words={hindrance(plan.data)} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Said({ words, onClose }: { words: ReactNode; onClose: () => void }) {
  return (
    <>
      <p role="status">{words}</p>
      <div>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </>
  );
}

function hindrance({ matched, analyses, limit }: Plan): string | null {
  if (analyses === 0)
    return `It finds ${counted(matched, 'job')}, none of them on a file that you have submitted: there is nothing for you to run again.`;
  if (analyses <= limit) return null;
  return `It finds ${counted(analyses, 'analysis', 'analyses')} to repeat, and ${count(limit)} are run at a time. Narrow the search, by after: say.`;
}
