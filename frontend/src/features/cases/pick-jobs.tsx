import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Button } from '@mantine/core';
import { operations } from '@svc/contracts';
import { caseLimits } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pickedJobsQuery, useCaseDeed } from '../../api/cases.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/form.tsx';
import { FlagField } from '../../ui/option-field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { Age } from '../../ui/time.tsx';
import styles from './case-links.module.css';

/** Jobs to put into a case, by a part of the name or by number. */
export function PickJobs({ id, onClose }: { id: number; onClose: () => void }) {
  const [text, setText] = useState('');
  const [withEntities, setWithEntities] = useState(false);
  const { data: found = [] } = useQuery(pickedJobsQuery(text));
  const add = useCaseDeed(operations.addCaseJob);
  const [added, setAdded] = useState<ReadonlySet<number>>(new Set());
  const put = (job: number) =>
    add.mutate(
      { id, job_id: job, include_entities: withEntities },
      { onSuccess: () => setAdded((now) => new Set([...now, job])) },
    );
  return (
    <Dialog title="Add jobs" onClose={onClose}>
      <SearchField
        label="Find a job"
        placeholder="A part of the file name, or a number"
        value={text}
        onChange={setText}
      />
      <FlagField
        label="With what they name"
        hint={`Of each job the ${caseLimits.jobEntitiesAtOnce} entities that most of its events name`}
        checked={withEntities}
        onChange={setWithEntities}
      />
      {add.error && <Failure error={add.error} />}
      <ul className={styles.offered}>
        {found.map((job) => (
          <li key={job.id}>
            <span className="cut" title={job.filename}>
              {job.filename}
            </span>
            <StatusMark status={job.status} />
            <span className="faint">
              <Age iso={job.created_at} />
            </span>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={`Add ${job.filename}`}
              disabled={add.isPending || added.has(job.id)}
              onClick={() => put(job.id)}
            >
              {added.has(job.id) ? 'Added' : 'Add'}
            </Button>
          </li>
        ))}
        {found.length === 0 && <li className="faint">No such job</li>}
      </ul>
    </Dialog>
  );
}
