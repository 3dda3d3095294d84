import { Button } from '@mantine/core';
import type { AiRunHead } from '@svc/contracts';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { isInFlight, useAiRunDeeds, type AiSubject } from '../../api/ai-runs.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SelectRow } from '../../ui/selection/select-rows.tsx';
import { Age } from '../../ui/time.tsx';
import styles from './ai-panel.module.css';

const statusTexts: Readonly<Record<AiRunHead['status'], string>> = {
  pending: 'Waiting',
  running: 'Writing',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Stopped',
};

/** How a run stands, in a word or two. */
export function statusText({ status, stalled }: Pick<AiRunHead, 'status' | 'stalled'>): string {
  return stalled ? 'Never reported back' : statusTexts[status];
}

interface RunListProps {
  readonly subject: AiSubject;
  readonly runs: readonly AiRunHead[];
  readonly chosen: number | undefined;
  readonly onChoose: (id: number | undefined) => void;
}

/** The newest runs; one of them is read, and several can be deleted. */
export function RunList({ subject, runs, chosen, onChoose }: RunListProps) {
  /** Runs that are to be deleted; null while none are picked. */
  const [picked, setPicked] = useState<ReadonlySet<number> | null>(null);
  const mayGo = runs.filter((run) => run.is_own && !isInFlight(run));
  const toggle = (id: number) =>
    setPicked((now) => (now?.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...(now ?? []), id])));
  return (
    <nav className={styles.runs} aria-label="Runs, the newest first">
      <ul>
        {runs.map((run) => (
          <li key={run.id} className={picked === null ? undefined : styles.pick}>
            {picked !== null && mayGo.includes(run) && (
              <SelectRow
                name={`run ${run.id} by ${run.provider_name}`}
                isChosen={picked.has(run.id)}
                onToggle={() => toggle(run.id)}
              />
            )}
            <button
              type="button"
              className={cx(styles.run, run.id === chosen && styles.chosen)}
              aria-current={run.id === chosen ? 'true' : undefined}
              onClick={() => onChoose(run.id)}
            >
              <span className="cut">{run.provider_name}</span>
              <span className="faint">
                {statusText(run)} · <Age iso={run.created_at} isSaid />
              </span>
              <span className="faint">{run.requested_by?.name ?? 'deleted account'}</span>
            </button>
          </li>
        ))}
      </ul>
      {picked !== null ? (
        <DeleteRuns
          subject={subject}
          ids={mayGo.map(({ id }) => id).filter((id) => picked.has(id))}
          onPickAll={() => setPicked(new Set(mayGo.map(({ id }) => id)))}
          onEnd={(gone) => {
            setPicked(null);
            if (chosen !== undefined && gone.includes(chosen)) onChoose(undefined);
          }}
        />
      ) : (
        mayGo.length > 1 && (
          <p className={styles.several}>
            <LinkButton onClick={() => setPicked(new Set())}>Delete several</LinkButton>
          </p>
        )
      )}
    </nav>
  );
}

function DeleteRuns(props: {
  subject: AiSubject;
  ids: readonly number[];
  onPickAll: () => void;
  onEnd: (gone: readonly number[]) => void;
}) {
  const { subject, ids, onPickAll, onEnd } = props;
  const { remove } = useAiRunDeeds(subject);
  return (
    <div className={styles.several}>
      {ids.length === 0 ? (
        <span className="soft">Pick the runs to delete.</span>
      ) : (
        <Button
          size="xs"
          color="red.9"
          leftSection={<IconTrash size={16} aria-hidden />}
          loading={remove.isPending}
          onClick={() => remove.mutate(ids, { onSuccess: () => onEnd(ids) })}
        >
          Delete {counted(ids.length, 'run')} for good
        </Button>
      )}
      <LinkButton onClick={onPickAll}>Pick all</LinkButton>
      <LinkButton onClick={() => onEnd([])}>Cancel</LinkButton>
      {remove.error && <Failure error={remove.error} />}
    </div>
  );
}
