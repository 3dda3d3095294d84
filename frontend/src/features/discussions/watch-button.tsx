import { Button } from '@mantine/core';
import type { JobDetail } from '@svc/contracts';
import { IconEye, IconEyeCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { toggleWatch } from '../../api/discussions.ts';
import { reasonOf } from '../../ui/states.tsx';
import { useKeys } from '../../ui/use-keys.ts';

const hint = 'Watch (w): the bell tells of comments and, to members, of new tags';
const hintWatching = 'Stop watching (w)';

/** Begins and ends watching a job; pressed again, it takes back what it did. */
export function WatchButton({ job: { job_id: id, watching } }: { job: JobDetail }) {
  const toggle = useMutation({ mutationFn: () => toggleWatch(id) });
  const press = () => {
    if (!toggle.isPending) toggle.mutate();
  };
  useKeys({ w: press });
  const Icon = watching ? IconEyeCheck : IconEye;
  return (
    <>
      {toggle.isError && (
        <span role="alert" className="soft">
          {reasonOf(toggle.error)}
        </span>
      )}
      <Button
        variant="default"
        aria-pressed={watching}
        aria-keyshortcuts="w"
        data-hint={watching ? hintWatching : hint}
        leftSection={<Icon size={16} stroke={1.75} />}
        onClick={press}
      >
        {watching ? 'Watching' : 'Watch'}
      </Button>
    </>
  );
}
