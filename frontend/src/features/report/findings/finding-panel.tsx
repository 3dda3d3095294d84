import type { FindingRow } from '@svc/contracts';
import { tacticsOf, techniquesOf, attackTag } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useReport } from '../../../api/report-source.ts';
import { useTechniqueNames } from '../../../ui/attack/use-technique-names.ts';
import { cx } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { count, sentence } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { SeverityMark } from '../../../ui/severity.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './finding-panel.module.css';
import type { JobView, ViewChange } from '../job-view.ts';
import { MatchedEvents } from './matched-events.tsx';
import { ruleFactsQuery } from './rule-facts-query.ts';

const RuleView = lazy(async () => ({ default: (await import('./rule-view.tsx')).RuleView }));

interface PanelProps {
  readonly finding: FindingRow;
  readonly view: JobView;
  readonly onChange: (changes: ViewChange) => void;
}

/** One finding: what the rule says, the events it matched, and its source. */
export function FindingPanel({ finding, view, onChange }: PanelProps) {
  const report = useReport();
  const { data: rule } = useQuery({ ...ruleFactsQuery(report, finding.id), enabled: finding.has_rule });
  const tab = view.tab ?? 'events';
  return (
    <article className={cx('card', styles.panel)} aria-label={finding.rule_name}>
      <header className={styles.head}>
        <h2 className={styles.title}>
          <SeverityMark severity={finding.severity} large />
          {finding.rule_name}
        </h2>
        <Line
          finding={finding}
          onWhere={report.jobId === null ? null : () => onChange({ view: 'similar', finding: finding.id })}
        />
        {finding.has_rule && rule === undefined ? (
          <Skeleton width="80%" />
        ) : (
          rule?.facts?.description && <Description text={rule.facts.description} />
        )}
        <Tags finding={finding} view={view} onChange={onChange} />
      </header>
      <Tabs
        label="Evidence and rule"
        value={tab}
        tabs={[
          ['events', `Matched events`],
          ['rule', 'Rule'],
        ]}
        onChange={(value) => onChange({ tab: value === 'rule' ? 'rule' : undefined })}
      >
        {tab === 'rule' ? (
          <Suspense fallback={<Skeleton height={200} />}>
            <RuleView finding={finding} />
          </Suspense>
        ) : (
          <MatchedEvents finding={finding} terms={rule?.facts?.terms ?? []} />
        )}
      </Tabs>
    </article>
  );
}

const SHORT = 280;

/** What the rule is about; long ones are cut, so that the evidence stays on the first screen. */
function Description({ text }: { text: string }) {
  const [whole, setWhole] = useState(text.length <= SHORT);
  return (
    <p className={styles.about}>
      <span className={whole ? undefined : styles.cut}>{text}</span>
      {!whole && <LinkButton onClick={() => setWhole(true)}>Read more</LinkButton>}
    </p>
  );
}

function Line({ finding, onWhere }: { finding: FindingRow; onWhere: (() => void) | null }) {
  const { count: matches, first_seen: first, last_seen: last, tool, rule_id: id } = finding;
  return (
    <p className={styles.line}>
      <span>
        <strong>{count(matches)}</strong> {matches === 1 ? 'event' : 'events'}
      </span>
      {first !== null && (
        <span>
          <Time iso={first} />
          {last !== null && last !== first && (
            <>
              {' – '}
              <Time iso={last} />
            </>
          )}{' '}
          <span className="faint">UTC</span>
        </span>
      )}
      <span className="faint">{tool}</span>
      {id !== null && (
        <span className={styles.id}>
          <code className="cut">{id}</code>
          <CopyButton text={id} what="rule id" />
        </span>
      )}
      {onWhere && <LinkButton onClick={onWhere}>Seen in other jobs?</LinkButton>}
    </p>
  );
}

function Tags({ finding: { tags }, view, onChange }: PanelProps) {
  const names = useTechniqueNames();
  const others = tags.filter((tag) => attackTag(tag) === null);
  if (tags.length === 0) return null;
  return (
    <ul className={styles.tags} aria-label="Tags">
      {tacticsOf(tags).map((tactic) => (
        <li key={tactic}>
          <button
            type="button"
            className={styles.tag}
            aria-pressed={view.tactic === tactic}
            data-hint="Filter by this tactic"
            onClick={() => onChange({ tactic: view.tactic === tactic ? undefined : tactic })}
          >
            <span className={styles.dot} style={{ background: `var(--tactic-${tactic})` }} />
            {sentence(tactic)}
          </button>
        </li>
      ))}
      {techniquesOf(tags).map((technique) => (
        <li key={technique}>
          <button
            type="button"
            className={styles.tag}
            aria-pressed={view.technique === technique}
            data-hint={`${names.full(technique)}\nFilter by this technique`}
            onClick={() => onChange({ technique: view.technique === technique ? undefined : technique })}
          >
            {technique}
          </button>
        </li>
      ))}
      {others.map((tag) => (
        <li key={tag} className={cx(styles.tag, styles.plain)}>
          {tag}
        </li>
      ))}
    </ul>
  );
}
