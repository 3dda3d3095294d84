import type { OutputOf, operations } from '@svc/contracts';
import { tactics, tacticsOfTechnique, techniqueTitle, techniqueTitles } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type CSSProperties } from 'react';
import { coverageQuery } from '../../../api/rule-packs.ts';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { stepByArrows } from '../../../ui/focus-step.ts';
import { counted, sentence } from '../../../ui/format.ts';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import cells from '../technique-cells.module.css';
import styles from './given-logs.module.css';
import { WhatToLog } from './what-to-log.tsx';

export type GivenLogs = OutputOf<typeof operations.getCoverage>;
type Seen = 'seen' | 'unfed' | 'none';

const meanings: Readonly<Record<Seen, string>> = {
  seen: 'Seen: there is a rule, and its log was received',
  unfed: 'No telemetry: there is a rule, but no log for it',
  none: 'No rule',
};

/** What the rules in force see of ATT&CK given the logs that were received, and what to log for more. */
export function GivenLogsSection() {
  const { data, error, refetch } = useQuery(coverageQuery);
  if (data === undefined && error) {
    return <ErrorState what="The coverage cannot be shown" error={error} retry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton height={320} />;
  return (
    <>
      <Matrix coverage={data} />
      <WhatToLog settings={data.settings} />
    </>
  );
}

function seenOf({ techniques }: GivenLogs, id: string): Seen {
  const ofPacks = techniques[id];
  if (ofPacks === undefined) return 'none';
  return ofPacks.some(({ fed }) => fed > 0) ? 'seen' : 'unfed';
}

/** All techniques of ATT&CK under their tactics. */
function Matrix({ coverage }: { coverage: GivenLogs }) {
  const [chosen, setChosen] = useState<string>();
  const all = techniqueTitles().map(({ id }) => id);
  const parents = all.filter((id) => !id.includes('.'));
  const parent = chosen?.replace(/\..*$/, '');
  const cell = (id: string) => (
    <button
      key={id}
      type="button"
      className={cx(cells.cell, styles[seenOf(coverage, id)])}
      aria-pressed={id === chosen}
      aria-label={`${techniqueTitle(id)}. ${meanings[seenOf(coverage, id)]}`}
      data-hint={`${techniqueTitle(id)}\n${meanings[seenOf(coverage, id)]}`}
      onClick={() => setChosen(id === chosen ? undefined : id)}
    >
      {id}
    </button>
  );
  const subs = all.filter((id) => parent !== undefined && id.startsWith(`${parent}.`));
  return (
    <section className={cx('card', styles.card)} aria-labelledby="given-logs">
      <h2 id="given-logs" className={styles.title}>
        Coverage of ATT&amp;CK, given what is logged
      </h2>
      <p className={styles.about}>
        {coverage.jobs === 0
          ? 'No log was received yet whose records were counted, so no rule has anything to see.'
          : `By the log types in the newest ${counted(coverage.jobs, 'job')} that you may see. An event that none of them has counts as logged where others of the same audit setting are there.`}
      </p>
      <ul className={styles.legend}>
        {(['seen', 'unfed', 'none'] as const).map((seen) => (
          <li key={seen}>
            <span className={cx(styles.mark, styles[seen])} aria-hidden="true" />
            {meanings[seen]} ({parents.filter((id) => seenOf(coverage, id) === seen).length})
          </li>
        ))}
      </ul>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys move among the buttons in it */}
      <div onKeyDown={stepByArrows}>
        <div className={styles.matrix}>
          {tactics.map((tactic) => (
            <div
              key={tactic}
              role="group"
              aria-label={sentence(tactic)}
              style={{ '--tactic': `var(--tactic-${tactic})` } as CSSProperties}
            >
              <h3 className={cx(cells.head, 'cut')}>{sentence(tactic)}</h3>
              <div className={cells.cells}>
                {parents.filter((id) => tacticsOfTechnique(id).includes(tactic)).map(cell)}
              </div>
            </div>
          ))}
        </div>
        {subs.length > 0 && (
          <div role="group" aria-label={`Sub-techniques of ${parent}`} className={cells.subs}>
            {subs.map(cell)}
          </div>
        )}
      </div>
      {chosen !== undefined && <Technique id={chosen} coverage={coverage} />}
    </section>
  );
}

/** Which packs have rules for a technique, and what would have to be logged for more of them. */
function Technique({ id, coverage: { techniques, settings } }: { id: string; coverage: GivenLogs }) {
  const ofPacks = techniques[id] ?? [];
  const gaining = settings.filter((setting) => setting.techniques.includes(id));
  return (
    <div className={styles.technique} aria-live="polite">
      <h3 className={styles.name}>{techniqueTitle(id)}</h3>
      {ofPacks.length === 0 && <p>No rule in force is about it.</p>}
      <ul className={styles.packs}>
        {ofPacks.map(({ pack, rules, fed }) => (
          <li key={pack}>
            <Link to={paths.runningRules} params={{ pack }} search={{ technique: id }}>
              {pack}
            </Link>
            : {counted(rules, 'rule')}, {fed === rules ? 'all' : fed === 0 ? 'none' : fed} with a log
          </li>
        ))}
      </ul>
      {gaining.length > 0 && <p>It would be seen with: {gaining.map(({ title }) => title).join('; ')}.</p>}
    </div>
  );
}
