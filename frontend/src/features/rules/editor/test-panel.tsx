import { Button } from '@mantine/core';
import { call, operations } from '@svc/contracts';
import { IconFileImport, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type DragEvent } from 'react';
import { tryOnFile } from '../../../api/try-rule.ts';
import { paths } from '../../../paths.ts';
import { Choice } from '../../../ui/choice.tsx';
import { Failure } from '../../../ui/form.tsx';
import { bytes } from '../../../ui/format.ts';
import { Progress } from '../../../ui/progress.tsx';
import { Notice } from '../../../ui/states.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import styles from './rule-editor.module.css';
import { TestResults, type TestedLog } from './test-results.tsx';

interface TestPanelProps {
  readonly source: string;
  /** Whether there is something to test. */
  readonly ready: boolean;
}

interface Tested {
  readonly source: string;
  readonly logs: readonly TestedLog[];
  readonly complete: boolean;
}

/** Holds the rule against the newest jobs, or against a file, before it is saved. */
export function TestPanel({ source, ready }: TestPanelProps) {
  const [on, setOn] = useState<'jobs' | 'file'>('jobs');
  return (
    <section className={`card ${styles.panel}`} aria-label="Test">
      <header className={styles.panelHead}>
        <h2 className={styles.heading}>Test it on</h2>
        <Switcher
          label="Test on"
          value={on}
          options={[
            ['jobs', 'Recent jobs'],
            ['file', 'A file'],
          ]}
          onChange={setOn}
        />
      </header>
      {on === 'jobs' ? <OnJobs source={source} ready={ready} /> : <OnFile source={source} ready={ready} />}
    </section>
  );
}

const counts = [5, 10, 25] as const;

function OnJobs({ source, ready }: TestPanelProps) {
  const [against, setAgainst] = useState<'logs' | 'events'>('logs');
  const [jobs, setJobs] = useState(10);
  const test = useMutation({
    mutationFn: async (): Promise<Tested> => {
      const tested = await call(operations.testRule, { source, against, jobs });
      const logs = tested.jobs.map((job): TestedLog => {
        const name = (
          <Link to={paths.job} params={{ jobId: job.job_id }} target="_blank">
            {job.filename}
          </Link>
        );
        return { ...job, key: String(job.job_id), name };
      });
      return { source, logs, complete: tested.complete };
    },
  });
  return (
    <>
      <div className={styles.tools}>
        <Choice
          label="Jobs"
          value={jobs}
          options={counts.map((one) => [one, `The newest ${one} files`] as const)}
          onChange={(next) => setJobs(Number(next))}
        />
        <Choice
          label="What of them"
          value={against}
          options={[
            ['logs', 'The whole log, where it is kept'],
            ['events', 'Only events kept of findings'],
          ]}
          onChange={(next) => setAgainst(next === 'events' ? 'events' : 'logs')}
        />
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} stroke={1.75} aria-hidden="true" />}
          disabled={!ready}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Test
        </Button>
      </div>
      <Outcome test={test} none="No job that you may see has a report yet. Test on a file instead." />
    </>
  );
}

function OnFile({ source, ready }: TestPanelProps) {
  const input = useRef<HTMLInputElement>(null);
  const stop = useRef(new AbortController());
  const [file, setFile] = useState<File | null>(null);
  const [done, setDone] = useState(0);
  useEffect(() => () => stop.current.abort(), []);
  const test = useMutation({
    mutationFn: async (one: File): Promise<Tested> => {
      setDone(0);
      // Another file takes the place of one that is being read.
      stop.current.abort();
      stop.current = new AbortController();
      const { signal } = stop.current;
      const tried = await tryOnFile(source, one, { signal, onProgress: setDone });
      const log: TestedLog = { ...tried, key: one.name, name: one.name, checked: 'log', reason: null };
      return { source, logs: [log], complete: true };
    },
  });
  const take = (one: File | undefined) => {
    if (one === undefined) return;
    setFile(one);
    test.mutate(one);
  };
  const onDrop = (event: DragEvent) => {
    const [one] = event.dataTransfer.files;
    if (one === undefined) return;
    event.preventDefault();
    take(one);
  };
  return (
    <>
      <div
        className={styles.drop}
        // On other pages a file that is dropped is submitted.
        data-own-drop
        onDragOver={(event) => event.preventDefault()}
        onDrop={onDrop}
      >
        <input
          ref={input}
          type="file"
          className="sr-only"
          tabIndex={-1}
          aria-label="Log to test on"
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0]);
            currentTarget.value = '';
          }}
        />
        <IconFileImport size={18} stroke={1.75} aria-hidden="true" />
        <span className={styles.dropText}>
          {file === null
            ? 'Drop a log here. It is read in this browser and goes nowhere.'
            : `${file.name}, ${bytes(file.size)}`}
        </span>
        <Button size="xs" variant="default" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        {test.isPending ? (
          <Button size="xs" variant="default" onClick={() => stop.current.abort()}>
            Stop
          </Button>
        ) : (
          file !== null && (
            <Button size="xs" disabled={!ready} onClick={() => test.mutate(file)}>
              Test
            </Button>
          )
        )}
      </div>
      {test.isPending && <Progress label="Reading the log" done={done} total={file?.size ?? 0} />}
      <Outcome test={test} none="" />
    </>
  );
}

interface OutcomeProps {
  readonly test: { readonly data: Tested | undefined; readonly error: Error | null };
  readonly none: string;
}

function Outcome({ test: { data, error }, none }: OutcomeProps) {
  if (error) return error.name === 'AbortError' ? <p className="soft">Stopped.</p> : <Failure error={error} />;
  if (data === undefined) return null;
  if (data.logs.length === 0) return <p className="soft">{none}</p>;
  return (
    <>
      {!data.complete && (
        <Notice tone="warn">The time for a test was over before all jobs were; test on fewer, or on a file.</Notice>
      )}
      <TestResults logs={data.logs} source={data.source} />
    </>
  );
}
