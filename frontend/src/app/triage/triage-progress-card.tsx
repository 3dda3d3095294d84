import { Button } from '@mantine/core';
import type { Triage, TriageStage } from '../../api/triage/triage-queue.ts';
import { triageQueue } from '../../api/triage/triage-store.ts';
import { cx } from '../../ui/class-names.ts';
import { bytes, count, counted } from '../../ui/format.ts';
import { Progress } from '../../ui/progress.tsx';
import { SeverityBar, SeverityMark } from '../../ui/severity.tsx';
import styles from './triage-progress-card.module.css';

type Underway = Extract<TriageStage, { at: 'waiting' | 'running' }>;

/** How far an analysis is, and what it has found so far. */
export function TriageProgressCard({ triage: { key, file }, stage }: { triage: Triage; stage: Underway }) {
  const progress = stage.at === 'running' ? stage.progress : null;
  return (
    <section className={cx('card', styles.card)} aria-label="Progress">
      <div className={styles.line}>
        <h2 className={styles.word}>{wordOf(stage)}</h2>
        <span className={styles.far} role="status">
          {progress && `${bytes(progress.done)} of ${bytes(progress.total)}, ${counted(progress.events, 'event')}`}
        </span>
        <Button variant="default" onClick={() => triageQueue.cancel(key)}>
          Cancel
        </Button>
      </div>
      <Progress label={`Analysing ${file.name}`} {...(progress && { done: progress.done, total: progress.total })} />
      {progress && progress.rules > 0 && (
        <div className={styles.found}>
          <p className={styles.sum}>{counted(progress.rules, 'rule')} matched so far</p>
          <SeverityBar summary={progress.summary} />
          <ul className={styles.rules}>
            {progress.top.map(({ name, severity, count: events }) => (
              <li key={name} className={styles.rule}>
                <SeverityMark severity={severity} />
                <span className="cut">{name}</span>
                <span className={styles.count}>{count(events)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function wordOf(stage: Underway): string {
  if (stage.at === 'waiting') return 'Waiting: two logs are analysed at a time';
  return stage.progress === null ? 'Fetching the rules' : 'Analysing in this browser';
}
