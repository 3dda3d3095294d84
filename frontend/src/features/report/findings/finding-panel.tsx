import type { FindingRow } from '@svc/contracts';
import { attackTag, tacticsOf, techniquesOf, techniqueTitle } from '@svc/domain';
import { IconTargetArrow } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, Suspense, useState } from 'react';
import { type EventPlace, useReport } from '../../../api/report-source.ts';
import { cx } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { count, sentence } from '../../../ui/format.ts';
import { lazy } from '../../../ui/lazy.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { SeverityMark } from '../../../ui/severity.tsx';
import { Door } from '../../../ui/door.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import type { RuleExplanation } from '../../../ui/matched-event/read-rule.ts';
import { Tabs } from '../../../ui/tabs.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './finding-panel.module.css';
import type { JobView, ViewChange } from '../job-view.ts';
import { useFoundBy } from './other-engines.ts';
import { MatchedEvents } from './matched-events.tsx';
import { ReviewBar } from './review-bar.tsx';
import { Suppressing } from './suppressing.tsx';
import { ruleFactsQuery } from './rule-facts-query.ts';

const WhyView = lazy(async () => ({ default: (await import('./why-view.tsx')).WhyView }));
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
  // Of the events, the one that was unfolded last.
  const [looked, setLooked] = useState<EventPlace | null>(null);
  return (
    <article className={cx('card', styles.panel)} aria-label={finding.rule_name}>
      <header className={styles.head}>
        <h2 className={styles.title}>
          <SeverityMark severity={finding.severity} large />
          <Door to={{ kind: 'rule', value: finding.rule_name }} />
        </h2>
        <Line
          finding={finding}
          onOther={(other) => onChange({ finding: other })}
          onCompare={() => onChange({ view: 'engines' })}
          onWhere={report.jobId === null ? null : () => onChange({ view: 'similar', finding: finding.id })}
        />
        {finding.has_rule && rule === undefined ? (
          <Skeleton width="80%" />
        ) : (
          rule?.facts?.description && <Description text={rule.facts.description} />
        )}
        {rule?.facts?.explanation && <Explanation {...rule.facts.explanation} />}
        <Tags finding={finding} view={view} onChange={onChange} />
        <ReviewBar findingId={finding.id} />
        <Suppressing finding={finding} />
      </header>
      <Tabs
        label="Evidence and rule"
        value={tab}
        tabs={[
          ['events', `Matched events`],
          ['why', 'Why'],
          ['rule', 'Rule'],
        ]}
        onChange={(value) => onChange({ tab: value === 'events' ? undefined : value })}
      >
        {tab === 'rule' ? (
          <Suspense fallback={<Skeleton height={200} />}>
            <RuleView finding={finding} />
          </Suspense>
        ) : tab === 'why' ? (
          <Suspense fallback={<Skeleton height={200} />}>
            <WhyView finding={finding} sought={view} looked={looked} onLook={setLooked} />
          </Suspense>
        ) : (
          <MatchedEvents
            finding={finding}
            terms={rule?.facts?.terms ?? []}
            sought={view}
            looked={looked}
            onLook={setLooked}
          />
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

/** What a match means, in a line that opens to what to check next and what else matches. */
function Explanation({ meaning, check, benign }: RuleExplanation) {
  return (
    <details className={styles.explanation}>
      <summary>
        <strong>What it means:</strong> {meaning}
      </summary>
      {check.length > 0 && (
        <>
          <h3>Check next</h3>
          <ul>
            {check.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
      {benign !== null && (
        <>
          <h3>Common false causes</h3>
          <p>{benign}</p>
        </>
      )}
    </details>
  );
}

interface LineProps {
  readonly finding: FindingRow;
  readonly onOther: (finding: number) => void;
  /** Lays the engines side by side. */
  readonly onCompare: () => void;
  readonly onWhere: (() => void) | null;
}

function Line({ finding, onOther, onCompare, onWhere }: LineProps) {
  const foundBy = useFoundBy(finding.id);
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
      <span className="faint">
        {foundBy === null || foundBy.others.length > 0 ? tool : foundBy.engines.join(', ')}
        {foundBy?.engines.length === 1 && ' alone'}
        {foundBy?.others.map((other, at) => (
          <Fragment key={other.id}>
            {at > 0 ? ', ' : ', also '}
            <LinkButton onClick={() => onOther(other.id)}>{other.tool}</LinkButton>
          </Fragment>
        ))}
      </span>
      {finding.found_by && <LinkButton onClick={onCompare}>What each engine found</LinkButton>}
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

/** Beside the button that filters by it. */
function TechniqueDoor({ technique }: { technique: string }) {
  return (
    <Door to={{ kind: 'technique', value: technique }} className={styles.door}>
      <IconTargetArrow size={14} stroke={2} aria-hidden="true" />
    </Door>
  );
}

function Tags({ finding: { tags }, view, onChange }: PanelProps) {
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
            data-hint={`${techniqueTitle(technique)}\nFilter by this technique`}
            onClick={() => onChange({ technique: view.technique === technique ? undefined : technique })}
          >
            {technique}
          </button>
          <TechniqueDoor technique={technique} />
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
