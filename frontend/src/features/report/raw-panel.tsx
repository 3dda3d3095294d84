import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import { Button, Checkbox } from '@mantine/core';
import { operations, type AnalyticsSection, type RawOutputs } from '@svc/contracts';
import { IconDownload, IconFileZip } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../api/query-key.ts';
import { analyticsDownload, fileDownload, rawDownload } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { bytes } from '../../ui/format.ts';
import { ErrorState } from '../../ui/states.tsx';
import { StatusMark } from '../../ui/status.tsx';
import { FindingsSkeleton } from './job-skeleton.tsx';
import styles from './raw-panel.module.css';
import { isInFlight, Recalculation } from './recalculation.tsx';

type Task = RawOutputs['tasks'][number];

const sections = [
  ['mitre', 'Tactics'],
  ['timeline', 'Hours'],
  ['entities', 'Entities'],
  ['threats', 'Heuristics'],
] as const satisfies readonly (readonly [AnalyticsSection, string])[];

const rawQuery = (id: number) =>
  queryOptions({
    ...operationQuery(operations.listRawOutputs, { id }),
    refetchInterval: ({ state }) => isInFlight(state.data?.recalculation) && 3000,
  });

/** What administrators can have of a job as it is: the file, what engines put out and said, the analytics. */
export function RawPanel({ jobId }: { jobId: number }) {
  const { data, error, refetch } = useQuery(rawQuery(jobId));
  if (error) return <ErrorState what="The raw outputs cannot be listed" error={error} retry={() => void refetch()} />;
  if (data === undefined) return <FindingsSkeleton />;
  const isKept = data.tasks.some(({ outputs }) => outputs.length > 0);
  return (
    <div className={styles.panel}>
      <section className={cx('card', styles.card)} aria-label="Downloads">
        <Button component="a" href={fileDownload(jobId)} variant="default" leftSection={<IconDownload size={16} />}>
          Original file
        </Button>
        {isKept && (
          <Button component="a" href={rawDownload(jobId)} variant="default" leftSection={<IconFileZip size={16} />}>
            Raw outputs as ZIP
          </Button>
        )}
      </section>
      <AnalyticsExport jobId={jobId} />
      <Recalculation jobId={jobId} last={data.recalculation} />
      {data.tasks.map((task) => (
        <TaskOutputs key={task.id} task={task} />
      ))}
      {!isKept && (
        <p className="soft">
          No raw outputs are kept: nothing matched, none were asked for, or their time is over. The report does not need
          them.
        </p>
      )}
    </div>
  );
}

function AnalyticsExport({ jobId }: { jobId: number }) {
  const [chosen, setChosen] = useState<readonly AnalyticsSection[]>(sections.map(([name]) => name));
  return (
    <section className={cx('card', styles.card)} aria-label="Analytics">
      <fieldset className={styles.sections}>
        <legend className={styles.legend}>Analytics</legend>
        {sections.map(([name, label]) => (
          <Checkbox
            key={name}
            size="xs"
            label={label}
            checked={chosen.includes(name)}
            onChange={({ currentTarget: { checked } }) =>
              setChosen(
                sections.map(([each]) => each).filter((each) => (each === name ? checked : chosen.includes(each))),
              )
            }
          />
        ))}
      </fieldset>
      {chosen.length > 0 && (
        <Button
          component="a"
          href={analyticsDownload(jobId, chosen)}
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          Analytics as JSON
        </Button>
      )}
    </section>
  );
}

function TaskOutputs({ task }: { task: Task }) {
  return (
    <section className={cx('card', styles.task)} aria-label={`Task ${task.tool}`}>
      <h2 className={styles.tool}>
        <code>{task.tool}</code> <StatusMark status={task.status} />
      </h2>
      {task.outputs.length > 0 && (
        <ul className={styles.outputs}>
          {task.outputs.map(({ name, size_bytes: size, complete }) => (
            <li key={name}>
              <code>{name}</code> <span className="soft">{bytes(size)}</span>
              {!complete && <span className="soft">, the first part only</span>}
            </li>
          ))}
        </ul>
      )}
      <TaskLog id={task.id} />
    </section>
  );
}

/** What the engine said, read once it is opened. */
function TaskLog({ id }: { id: number }) {
  const [open, setOpen] = useState(false);
  const { data, error } = useQuery({
    ...operationQuery(operations.getTaskLog, { id }),
    enabled: open,
  });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={styles.summary}>Log</summary>
      {error && <ErrorState what="The log cannot be read" error={error} />}
      {data &&
        (data.log_output === '' ? (
          <p className="soft">The engine said nothing.</p>
        ) : (
          <pre className={styles.log}>{data.log_output}</pre>
        ))}
      {data?.truncated === true && <p className="soft">Cut off at what is kept.</p>}
    </details>
  );
}
