import { Button } from '@mantine/core';
import { IconSparkles, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { aiRunsQuery, useAiRunDeeds, type AiSubject } from '../../api/ai-runs.ts';
import { Contained } from '../../ui/contained.tsx';
import { Failure } from '../../ui/form.tsx';
import { OptionField } from '../../ui/option-field.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import type { AiRuns } from '@svc/contracts';
import styles from './ai-panel.module.css';
import { RunList } from './run-list.tsx';
import { RunView } from './run-view.tsx';

interface PanelProps {
  readonly subject: AiSubject;
  /** Who can read what models write here. */
  readonly readers: string;
  /** The run that is read; the newest where none is chosen. */
  readonly chosen: number | undefined;
  readonly onChoose: (run: number | undefined) => void;
}

/** What models say of a job or a case, and a way to ask one. */
export function AiPanel({ subject, readers, chosen, onChoose }: PanelProps) {
  const [isFollowed, setFollowed] = useState(false);
  const { data, error, refetch } = useQuery(aiRunsQuery(subject, chosen ?? null, isFollowed));
  if (data === undefined) {
    if (error) return <ErrorState what="The answers cannot be read" error={error} retry={() => void refetch()} />;
    return (
      <div className={styles.panel} role="status" aria-busy="true" aria-label="The answers are loading">
        <Skeleton width={240} height={32} />
        <Skeleton height={120} />
      </div>
    );
  }
  const { runs, selected } = data;
  // Of runs over a case there may be some that this reader is told nothing of.
  const nothing =
    chosen !== undefined
      ? 'This run is gone, or you cannot read it any more'
      : subject.kind === 'job'
        ? 'No model has been asked about this job'
        : 'There is no answer about this case that you can read';
  return (
    <section className={styles.panel} aria-label="AI analysis">
      <Notice tone="info" icon={<IconUsers size={18} stroke={1.75} aria-hidden="true" />}>
        {readers} Models write from a brief of this {subject.kind}: they can be wrong, and what attackers wrote into
        logs may have tried to mislead them.
      </Notice>
      {data.can_run && <Ask subject={subject} runs={data} onStarted={onChoose} />}
      {runs.length === 0 ? (
        <EmptyState icon={IconSparkles} title={nothing}>
          {data.can_run
            ? 'Choose a provider and start a run. It sends a brief of what the report shows, and its answer stays here beside the evidence that it can be held against.'
            : 'Members can ask one of the providers that administrators have set up.'}
        </EmptyState>
      ) : (
        <div className={styles.columns}>
          <RunList subject={subject} runs={runs} chosen={selected?.id} onChoose={onChoose} />
          {selected === null ? (
            <p className="soft">This run is gone, or you cannot read it any more.</p>
          ) : (
            <Contained key={selected.id} fallback={<p className="soft">This run cannot be shown.</p>}>
              <RunView subject={subject} run={selected} onGone={() => onChoose(undefined)} onFollow={setFollowed} />
            </Contained>
          )}
        </div>
      )}
    </section>
  );
}

function Ask({ subject, runs, onStarted }: { subject: AiSubject; runs: AiRuns; onStarted: (run: number) => void }) {
  const { providers, can_run_now: canRunNow, refusal } = runs;
  const { start } = useAiRunDeeds(subject);
  const [picked, setPicked] = useState<number | null>(null);
  const provider = providers.find(({ id }) => id === picked) ?? providers[0];
  if (provider === undefined)
    return <p className="soft">No AI provider is switched on. Administrators add them under Admin, AI.</p>;
  return (
    <div className={styles.ask}>
      <OptionField
        label="Provider"
        value={provider.id}
        options={providers.map(({ id, name, model }) => [id, `${name} (${model})`] as const)}
        onChange={(id) => setPicked(Number(id))}
      />
      <Button
        leftSection={<IconSparkles size={16} aria-hidden />}
        disabled={!canRunNow}
        loading={start.isPending}
        onClick={() => start.mutate(provider.id, { onSuccess: ({ analysis_id: run }) => onStarted(run) })}
      >
        Ask about this {subject.kind}
      </Button>
      <p className="soft">
        {refusal ??
          (provider.hides_names
            ? 'Names of hosts, accounts, domains, private addresses and secrets leave as stand-ins.'
            : 'Names leave as they are: this provider is asked without stand-ins.')}
      </p>
      {start.error && <Failure error={start.error} />}
    </div>
  );
}
