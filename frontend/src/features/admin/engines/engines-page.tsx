import type { AdminEngine } from '@svc/contracts';
import { logTypeLabels } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { enginesQuery } from '../../../api/engines.ts';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { count, counted, duration } from '../../../ui/format.ts';
import { GuideLink } from '../../../ui/guide-link.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorState, Notice, Skeleton } from '../../../ui/states.tsx';
import { Age } from '../../../ui/time.tsx';
import { EngineActions } from './engine-actions.tsx';
import { EngineTask } from './engine-task.tsx';
import { installing, kindOf, placeOf, stateOf } from './engine-texts.ts';
import styles from './engines-page.module.css';

/** Engines that check logs, what workers found of each, and how their runs went. */
export function EnginesPage(): ReactNode {
  const { data, error, refetch } = useQuery(enginesQuery);
  if (data === undefined && error) {
    return <ErrorState whole what="The engines cannot be listed" error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <title>Engines · svc</title>
      <PageHead title="Engines">
        <GuideLink chapter="admin-engines">What another engine costs</GuideLink>
      </PageHead>
      <p className={cx('soft', styles.lead)}>
        An engine that is enabled runs in every workflow that names it, beside the built-in one; reports then lay side
        by side what each found. A worker that runs containers may do on its host whatever the container runtime may,
        which is mostly everything: treat its host as one that holds only that.
      </p>
      {data === undefined ? (
        <Skeleton height={320} />
      ) : (
        <>
          {data.on_demand && (
            <Notice tone="info">
              Workers here are started when there is work, as on AWS: another engine is an image with a task definition
              of its own, which has no access to the database and no secrets. Programs of a machine and images that
              workers build do not exist there; the operations guide says how an image is named when deploying.
            </Notice>
          )}
          {data.engines.map((engine) => (
            <Engine key={engine.name} engine={engine} />
          ))}
        </>
      )}
    </>
  );
}

function Engine({ engine }: { engine: AdminEngine }) {
  const { name, title, built_in: isBuiltIn, enabled, seen } = engine;
  const state = stateOf(engine);
  const install = installing[name];
  return (
    <section className={cx('card', styles.engine)} aria-label={title}>
      <header className={styles.head}>
        <div>
          <h2>
            {title} <code className="faint">{name}</code>
          </h2>
          <p className={styles[state.tone]} role="status">
            {isBuiltIn ? 'Always enabled' : state.text}
          </p>
        </div>
        {!isBuiltIn && <EngineActions engine={engine} />}
      </header>
      {enabled && seen !== null && seen.missing !== null && (
        <Notice tone="warn">
          {seen.missing}. Install it as below on every worker of the heavy lane, or say where it is, and look again.
        </Notice>
      )}
      <EngineTask engine={engine} />
      <Facts engine={engine} />
      {seen !== null && seen.log !== '' && (
        <details className={styles.more}>
          <summary>What was said when it was looked at last</summary>
          <pre className={styles.log}>{seen.log}</pre>
        </details>
      )}
      {install && (
        <details className={styles.more}>
          <summary>How to install {title}</summary>
          <p>{install.how}</p>
          <div className={styles.lines}>
            <pre>{install.lines.join('\n')}</pre>
            <CopyButton text={install.lines.join('\n')} what={`commands that install ${title}`} />
          </div>
        </details>
      )}
    </section>
  );
}

function Facts({ engine }: { engine: AdminEngine }) {
  const { program, seen, reads, runs, workflows } = engine;
  const last = runs?.last ?? null;
  return (
    <dl className={styles.facts}>
      <Fact name="Kind">
        {kindOf(engine)}
        {program && (
          <>
            {' '}
            <code>{placeOf(program)}</code>
          </>
        )}
      </Fact>
      {!engine.built_in && (
        <Fact name="Found">
          {seen === null ? (
            'Not looked for yet'
          ) : (
            <>
              {seen.missing === null ? <Found seen={seen} /> : 'Not found'}, <Age iso={seen.looked_at} /> on{' '}
              {seen.looked_on}
            </>
          )}
        </Fact>
      )}
      <Fact name="Reads">{reads === null ? 'All types' : reads.map((type) => logTypeLabels[type]).join(', ')}</Fact>
      <Fact name="Workflows">
        {workflows.length === 0
          ? 'None names it'
          : workflows.map(({ id, name }, at) => (
              <span key={id}>
                {at > 0 && ', '}
                <Link className={styles.within} to={paths.workflow} params={{ workflow: String(id) }}>
                  {name}
                </Link>
              </span>
            ))}
      </Fact>
      <Fact name="Runs">
        {runs === null
          ? 'None yet'
          : `${counted(runs.count, 'run')}, ${runs.failures === 0 ? 'none failed' : `${count(runs.failures)} failed`}`}
      </Fact>
      <Fact name="Time per MB">
        {runs === null || runs.ms_per_mb === null
          ? 'Not measured yet'
          : duration(Math.max(1, Math.round(runs.ms_per_mb)))}
      </Fact>
      {last && (
        <Fact name="Last run">
          <Link className={styles.within} to={paths.job} params={{ jobId: last.job_id }}>
            #{last.job_id}
          </Link>{' '}
          <Age iso={last.at} />
          {last.status === 'failed' && <span className={styles.bad}> failed{last.error && `: ${last.error}`}</span>}
        </Fact>
      )}
    </dl>
  );
}

function Found({ seen: { version, at, digest } }: { seen: NonNullable<AdminEngine['seen']> }) {
  return (
    <>
      {version === null ? 'Version not told' : `Version ${version}`} at <code>{at}</code>
      {digest !== null && (
        <>
          {' '}
          <code className="faint">{digest}</code>
        </>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
