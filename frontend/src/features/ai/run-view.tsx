import { Button } from '@mantine/core';
import type { AiFact, AiRun } from '@svc/contracts';
import { IconDownload, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { aiFactsQuery } from '../../api/ai-facts.ts';
import { isInFlight, useAiRunDeeds, useFollowedRun, type AiSubject } from '../../api/ai-runs.ts';
import { saveBlob } from '../../api/save-blob.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Failure } from '../../ui/form.tsx';
import { count, counted, duration } from '../../ui/format.ts';
import { Notice } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './ai-panel.module.css';
import { Answer } from './answer.tsx';
import { FactList } from './fact-list.tsx';
import { statusText } from './run-list.tsx';
import { SentPrompt } from './sent-prompt.tsx';
import { useFactWay } from './use-fact-way.ts';

const noFacts: readonly AiFact[] = [];

/** One run: what it has written, and what can be done about it. */
export function RunView(props: {
  subject: AiSubject;
  run: AiRun;
  onGone: () => void;
  /** Told whether its stream runs. */
  onFollow: (isFollowed: boolean) => void;
}) {
  const { subject, run, onGone, onFollow } = props;
  const followed = useFollowedRun(subject, run);
  useEffect(() => onFollow(followed.isFollowed), [followed.isFollowed, onFollow]);
  const head = followed.run ?? run;
  const text = followed.text.length > run.content.length ? followed.text : run.content;
  const isLive = isInFlight(head);
  const way = useFactWay(subject);
  const hasAnswer = !isLive && text !== '';
  const facts = useQuery({ ...aiFactsQuery(subject, run.id), enabled: hasAnswer });
  const log = run.log_output === null ? null : `${run.log_output}${isLive ? followed.log : ''}`;
  return (
    <article className={styles.view} aria-label={`Run by ${run.provider_name}`}>
      <header className={styles.head}>
        <h3>
          {run.provider_name} <span className="soft">{run.model}</span>
        </h3>
        <p className="soft">
          <span role="status">
            {statusText({ ...head, stalled: run.stalled })}
            {isLive && !run.stalled && text !== '' && `, ${counted(text.length, 'character')} so far`}
          </span>
          {' · '}
          <Time iso={run.created_at} zone /> · {run.requested_by?.name ?? 'deleted account'}
          <Cost run={{ ...run, ...head }} />
        </p>
        <Deeds subject={subject} run={{ ...run, ...head, stalled: run.stalled, content: text }} onGone={onGone} />
      </header>
      <State run={{ ...run, ...head, stalled: run.stalled }} isEmpty={text === ''} />
      {facts.data && hasAnswer && <FactList facts={facts.data} />}
      {text !== '' && (
        <Answer text={text} facts={(hasAnswer && facts.data?.facts) || noFacts} leads={way.leads} onOpen={way.open} />
      )}
      <SentPrompt run={run} />
      {log !== null && log !== '' && (
        <details className={styles.more}>
          <summary>Log of the run</summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keys as well */}
          <pre tabIndex={0}>{log}</pre>
        </details>
      )}
    </article>
  );
}

function Cost({ run: { input_tokens: input, output_tokens: output, duration_ms: took } }: { run: AiRun }) {
  const parts = [
    input !== null && `${count(input)} tokens in`,
    output !== null && `${count(output)} out`,
    took !== null && duration(took),
  ].filter(Boolean);
  return parts.length === 0 ? null : <> · {parts.join(', ')}</>;
}

function State({ run, isEmpty }: { run: AiRun; isEmpty: boolean }) {
  const { status, stalled, error_message: error } = run;
  if (stalled)
    return <Notice tone="warn">This run never reported back. Stop it to close it off, then start another one.</Notice>;
  if (status === 'pending') return <Notice tone="info">The run waits for a worker.</Notice>;
  if (status === 'running' && isEmpty)
    return <Notice tone="info">The model has been asked and has not begun yet.</Notice>;
  if (status === 'failed') return <Notice tone="bad">{error ?? 'The run failed.'}</Notice>;
  if (status === 'cancelled') return <Notice tone="info">This run was stopped: no answer was kept.</Notice>;
  return error === null ? null : <Notice tone="warn">{error}</Notice>;
}

function Deeds({ subject, run, onGone }: { subject: AiSubject; run: AiRun; onGone: () => void }) {
  const { cancel, remove } = useAiRunDeeds(subject);
  const [isSure, setSure] = useState(false);
  const isLive = isInFlight(run);
  const save = () =>
    saveBlob(
      new Blob([run.content], { type: 'text/markdown;charset=utf-8' }),
      `ai-analysis-${subject.kind}-${subject.id}-run-${run.id}.md`,
    );
  return (
    <div className={styles.deeds}>
      {run.is_own && isLive && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(run.id)}
        >
          Stop
        </Button>
      )}
      {run.content !== '' && (
        <>
          <CopyButton text={run.content} what="answer as Markdown" />
          <Button size="xs" variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
            Download
          </Button>
        </>
      )}
      {run.is_own && !isLive && (
        <Button
          size="xs"
          variant="default"
          {...(isSure && { color: 'red' })}
          leftSection={<IconTrash size={16} aria-hidden />}
          loading={remove.isPending}
          onBlur={() => setSure(false)}
          onClick={() => (isSure ? remove.mutate([run.id], { onSuccess: onGone }) : setSure(true))}
        >
          {isSure ? 'Delete for good' : 'Delete'}
        </Button>
      )}
      {(cancel.error ?? remove.error) && <Failure error={(cancel.error ?? remove.error)!} />}
    </div>
  );
}
