import { IconCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Triage } from '../../api/triage/triage-queue.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { SeverityMark, worstOf } from '../../ui/severity.tsx';
import styles from './triage-files.module.css';

/** The files of this window, each with how it stands; one of them is shown below. */
export function TriageFiles({ triages, chosen }: { triages: readonly Triage[]; chosen: number }) {
  return (
    <nav aria-label="Files in this browser">
      <ul className={styles.files}>
        {triages.map((triage) => (
          <li key={triage.key}>
            <Link
              to={paths.triage}
              search={{ file: triage.key }}
              className={cx(styles.file, triage.key === chosen && styles.chosen)}
              aria-current={triage.key === chosen ? 'page' : undefined}
            >
              <Mark triage={triage} />
              <span className="cut" data-hint={triage.file.name}>
                {triage.file.name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Mark({ triage: { stage } }: { triage: Triage }) {
  if (stage.at === 'done') {
    const worst = worstOf(stage.report.severitySummary);
    if (worst !== null) return <SeverityMark severity={worst} />;
    return <IconCircle size={16} stroke={1.75} className="faint" role="img" aria-label="No matches" />;
  }
  if (stage.at === 'running') {
    const { done, total } = stage.progress ?? { done: 0, total: 1 };
    return <span className="soft">{Math.floor((100 * done) / Math.max(1, total))} %</span>;
  }
  return <span className="faint">{stage.at}</span>;
}
