import type { Readiness, ReadinessCheck } from '@svc/contracts';
import { readinessLevels, type ReadinessLevel } from '@svc/domain';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import { cx } from '../../ui/class-names.ts';
import { counted } from '../../ui/format.ts';
import styles from './dashboard-page.module.css';

const looks = {
  FAIL: { icon: IconCircleX, tone: styles.fail, word: 'Fails' },
  WARN: { icon: IconAlertTriangle, tone: styles.warn, word: 'Warning' },
  INFO: { icon: IconInfoCircle, tone: styles.info, word: 'Remark' },
  PASS: { icon: IconCircleCheck, tone: styles.pass, word: 'Well' },
} as const satisfies Record<ReadinessLevel, unknown>;

/** The verdict, then what is to be mended and how, the worst first; what is well folded up below. */
export function ReadinessReport({ readiness: { verdict, checks } }: { readiness: Readiness }) {
  const asks = checks.filter(({ level }) => level === 'FAIL' || level === 'WARN');
  const rest = checks.filter(({ level }) => level === 'INFO' || level === 'PASS');
  const worst = verdict === 'not_ready' ? 'FAIL' : verdict === 'ready' ? 'PASS' : 'WARN';
  const { icon: Icon, tone } = looks[worst];
  return (
    <section aria-labelledby="verdict" className={cx('card', styles.readiness)}>
      <div className={cx(styles.verdict, tone)} role="status">
        <Icon size={28} stroke={1.75} aria-hidden="true" />
        <div>
          <h2 id="verdict">{sentenceOf(checks, verdict)}</h2>
          <p className="soft">
            {asks.length === 0
              ? `All ${checks.length} checks found nothing to mend.`
              : `${counted(asks.length, 'check')} of ${checks.length} ${asks.length === 1 ? 'asks' : 'ask'} for something.`}
          </p>
        </div>
      </div>
      {sectionsOf(asks).map(([section, found]) => (
        <Section key={section} section={section} checks={found} />
      ))}
      {rest.length > 0 && (
        <details className={styles.rest} open={asks.length === 0}>
          <summary>{counted(rest.length, 'check')} without a complaint</summary>
          {sectionsOf(rest).map(([section, found]) => (
            <Section key={section} section={section} checks={found} />
          ))}
        </details>
      )}
    </section>
  );
}

function sentenceOf(checks: readonly ReadinessCheck[], verdict: Readiness['verdict']): string {
  const many = (wanted: ReadinessLevel): number => checks.filter(({ level }) => level === wanted).length;
  if (verdict === 'not_ready')
    return `Not ready: ${counted(many('FAIL'), 'check')} ${many('FAIL') === 1 ? 'fails' : 'fail'}`;
  return verdict === 'ready' ? 'Ready' : `Ready, with ${counted(many('WARN'), 'warning')}`;
}

/** The sections, that with the worst check first, each with its worst first. */
function sectionsOf(checks: readonly ReadinessCheck[]): [string, ReadinessCheck[]][] {
  const sorted = readinessLevels.flatMap((wanted) => checks.filter(({ level }) => level === wanted));
  const names = [...new Set(sorted.map(({ section }) => section))];
  return names.map((name) => [name, sorted.filter(({ section }) => section === name)]);
}

function Section({ section, checks }: { section: string; checks: readonly ReadinessCheck[] }) {
  return (
    <section aria-label={section} className={styles.section}>
      <h3>{section}</h3>
      <ul className={styles.checks}>
        {checks.map((check) => (
          <Check key={`${check.name} ${check.message}`} check={check} />
        ))}
      </ul>
    </section>
  );
}

function Check({ check: { level, name, message, fix } }: { check: ReadinessCheck }) {
  const { icon: Icon, tone, word } = looks[level];
  return (
    <li className={styles.check}>
      <span className={cx(styles.level, tone)}>
        <Icon size={16} stroke={2} aria-hidden="true" />
        {word}
      </span>
      <div className={styles.words}>
        <strong>{name}</strong>
        <p className="soft">{message}.</p>
        {fix !== null && (
          <p className={styles.fix}>
            <span className="faint">Fix</span> {fix}.
          </p>
        )}
      </div>
    </li>
  );
}
