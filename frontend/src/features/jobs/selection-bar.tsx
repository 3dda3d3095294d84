import '@mantine/core/styles/CloseButton.layer.css';
import { Button, CloseButton } from '@mantine/core';
import type { JobRow, Tag } from '@svc/contracts';
import { IconArrowsExchange, IconFolderPlus, IconRefresh, IconReportSearch, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useState, type ComponentType } from 'react';
import { askForCase } from '../../api/adding-to-case.ts';
import { useMe } from '../../api/session.ts';
import { makeBatch } from '../../api/verdicts.ts';
import { paths } from '../../paths.ts';
import { count, counted } from '../../ui/format.ts';
import { lazy } from '../../ui/lazy.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { reasonOf } from '../../ui/states.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import { mostJobs } from '../../api/job-limits.ts';
import { limited } from '../../ui/limited.ts';
import { rerunOutcome, useRerun } from './rerun.ts';
import { DeedOutcome, type Outcome } from '../../ui/selection/deed-outcome.tsx';
import styles from '../../ui/selection/selection-bar.module.css';
import { tagChange, useTagging, type TagChange } from '../../api/tagging.ts';

const DeleteJobs = lazy(async () => ({ default: (await import('./delete-jobs.tsx')).DeleteJobs }));

/** Offers the tags of chosen jobs, to give and to take. */
export type TagPickerPart = ComponentType<{
  readonly carriers: readonly JobRow[];
  readonly shortcut: string;
  readonly limit: ReturnType<typeof limited>;
  readonly opened: boolean;
  readonly onOpen: (opened: boolean) => void;
  readonly onPick: (tag: Tag) => void;
}>;

interface SelectionBarProps {
  readonly TagPicker: TagPickerPart;
  readonly jobs: readonly JobRow[];
  /** Changes rows on the page before the service has said so. */
  readonly patch: (change: (job: JobRow) => JobRow) => void;
  /** Jobs that the list has beside those of a page of which all are chosen; else 0. */
  readonly rest: number;
  readonly onSelectRest: () => Promise<void>;
  /** The jobs are no more, and the list is there without them. */
  readonly onDeleted: () => void;
  readonly onClear: () => void;
}

/** What can be done with the chosen jobs, and what the last deed came to. */
export function SelectionBar(props: SelectionBarProps) {
  const { TagPicker, jobs, patch, rest, onSelectRest, onDeleted, onClear } = props;
  const role = useMe()?.role;
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [picking, setPicking] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const tagging = useTagging(patch);
  const rerun = useRerun();
  const navigate = useNavigate();
  const isMember = role === 'member' || role === 'admin';
  useKeys({ t: () => (isMember && jobs.length > 0 ? setPicking(true) : false) });

  const fail = (error: Error) => setOutcome({ text: reasonOf(error), isBad: true });
  const selectRest = useMutation({ mutationFn: onSelectRest, onError: fail });
  const verdict = useMutation({
    mutationFn: () => makeBatch(jobs.map(({ job_id: id }) => id)),
    onSuccess: (batchId) => void navigate({ to: paths.batch, params: { batchId } }),
    onError: fail,
  });
  const tag = (change: TagChange, isUndo = false) => {
    const undo = () => tag({ ...change, isAdded: !change.isAdded }, true);
    setOutcome({ text: taggingWords(change), ...(!isUndo && { undo }) });
    tagging.mutate(change, { onError: fail });
  };
  const clear = () => {
    setOutcome(null);
    onClear();
  };
  if (jobs.length === 0 && !outcome) return null;
  return (
    <section className={styles.bar} aria-label="Chosen jobs">
      {jobs.length > 0 && (
        <>
          <strong>{counted(jobs.length, 'job')}</strong>
          {rest > 0 && jobs.length < mostJobs.tags && (
            <LinkButton disabled={selectRest.isPending} onClick={() => selectRest.mutate()}>
              {jobs.length + rest > mostJobs.tags
                ? `Select the newest ${mostJobs.tags}`
                : `Select all ${count(jobs.length + rest)}`}
            </LinkButton>
          )}
          <span className={styles.rule} />
          {isMember && (
            <TagPicker
              carriers={jobs}
              shortcut="t"
              limit={limited(jobs.length, mostJobs.tags)}
              opened={picking}
              onOpen={setPicking}
              onPick={(picked) => tag(tagChange(picked, jobs))}
            />
          )}
          {isMember && (
            <Button
              variant="default"
              leftSection={<IconFolderPlus size={14} stroke={1.75} />}
              onClick={() => askForCase({ jobs: jobs.map(({ job_id: id }) => id) })}
            >
              Add to case
            </Button>
          )}
          {jobs.length === 2 && (
            <Button
              variant="default"
              leftSection={<IconArrowsExchange size={14} stroke={1.75} />}
              renderRoot={(root) => (
                <Link to={paths.compare} search={{ a: jobs[0]?.job_id ?? 0, b: jobs[1]?.job_id ?? 0 }} {...root} />
              )}
            >
              Compare
            </Button>
          )}
          {jobs.length > 1 && (
            <Button
              variant="default"
              leftSection={<IconReportSearch size={14} stroke={1.75} />}
              loading={verdict.isPending}
              {...limited(jobs.length, mostJobs.batch)}
              onClick={() => verdict.mutate()}
            >
              Verdict
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} stroke={1.75} />}
            loading={rerun.isPending}
            data-hint="Analyses the files again, with the rules in force now; the reports of today stay"
            {...limited(jobs.length, mostJobs.reruns)}
            onClick={() =>
              rerun.mutate(jobs, { onSuccess: (done) => setOutcome(rerunOutcome(done.jobs)), onError: fail })
            }
          >
            Re-run with newer rules
          </Button>
          {role === 'admin' && (
            <Button
              variant="default"
              leftSection={<IconTrash size={14} stroke={1.75} />}
              {...limited(jobs.length, mostJobs.deletions)}
              onClick={() => setDeleting(true)}
            >
              Delete
            </Button>
          )}
        </>
      )}
      <DeedOutcome outcome={outcome} />
      <Suspense>
        {deleting && (
          <DeleteJobs
            jobs={jobs}
            onClose={() => setDeleting(false)}
            onDeleted={(deleted) => {
              setDeleting(false);
              setOutcome({ text: `Deleted ${counted(deleted, 'job')}` });
              onDeleted();
            }}
          />
        )}
      </Suspense>
      <CloseButton size="sm" aria-label="Clear the selection" data-hint="Clear (Esc)" onClick={clear} />
    </section>
  );
}

function taggingWords({ tag: { tag }, jobs, isAdded }: TagChange): string {
  return isAdded
    ? `Tagged ${counted(jobs.length, 'job')} “${tag}”`
    : `Took “${tag}” off ${counted(jobs.length, 'job')}`;
}
