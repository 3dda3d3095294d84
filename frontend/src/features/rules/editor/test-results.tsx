import type { TestedEvent, TestedJob } from '@svc/contracts';
import { useMemo, useState, type ReactNode } from 'react';
import { count, counted } from '../../../ui/format.ts';
import { MatchedEventCard } from '../../../ui/matched-event/matched-event-card.tsx';
import { readRule, type RuleTerm } from '../../../ui/matched-event/read-rule.ts';
import styles from './rule-editor.module.css';
import { matchesOf, noiseText, totalsOf } from './tested.ts';

/** One log that a rule was held against: of a job, or a file of this machine. */
export interface TestedLog extends Pick<TestedJob, 'checked' | 'reason' | 'records' | 'rules' | 'events'> {
  readonly key: string;
  readonly name: ReactNode;
}

interface TestResultsProps {
  readonly logs: readonly TestedLog[];
  /** The rule as it was tested. */
  readonly source: string;
}

/** What a rule found, log by log: how often, how noisy it would be, and why its first matches do. */
export function TestResults({ logs, source }: TestResultsProps) {
  const { hit, matches, records, ofSource, noise } = totalsOf(logs);
  const terms = useMemo(() => readRule(source)?.terms ?? [], [source]);
  return (
    <>
      <dl className={styles.totals}>
        <Fact label="Matches">{count(matches)}</Fact>
        <Fact label="In">{`${count(hit)} of ${counted(logs.length, 'log')}`}</Fact>
        <Fact label="Records read">{count(records)}</Fact>
        <Fact label="Per 1 000 records">{noise === null ? 'not known' : noiseText(noise)}</Fact>
      </dl>
      {matches === 0 && logs.length > 0 && (
        <p className={styles.silence}>
          {ofSource === 0
            ? 'None of the logs has a record of this log source: that nothing matches says nothing of the rule.'
            : ofSource === null
              ? 'None of the kept events matches.'
              : `${counted(ofSource, 'record')} of this log source, and none matches.`}
        </p>
      )}
      <ul className={styles.logs}>
        {logs
          .toSorted((a, b) => matchesOf(b) - matchesOf(a))
          .map((log) => (
            <TestedLogCard key={log.key} log={log} terms={terms} />
          ))}
      </ul>
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const checkedText = { log: 'the whole log', events: 'kept events', none: 'not read' };

function TestedLogCard({ log, terms }: { log: TestedLog; terms: readonly RuleTerm[] }) {
  const { name, checked, reason, records, rules, events } = log;
  const [open, setOpen] = useState<number | null>(0);
  const matches = matchesOf(log);
  return (
    <li className={styles.log}>
      <header className={styles.logHead}>
        <span className={styles.logName}>{name}</span>
        <strong>{counted(matches, 'match', 'matches')}</strong>
        <span className="soft">
          {checkedText[checked]}, {counted(records, 'record')}
          {reason !== null && `. ${reason}`}
        </span>
      </header>
      {rules.length > 1 && matches > 0 && (
        <p className="soft">{rules.map(({ title, count: times }) => `${title}: ${count(times)}`).join(', ')}</p>
      )}
      {events.map((event, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- events have no id of their own, and their order is fixed
        <div key={place} className={styles.event}>
          {open === place && <Reasons reasons={event.reasons} />}
          <MatchedEventCard
            event={event}
            terms={terms}
            open={open === place}
            onToggle={() => setOpen(open === place ? null : place)}
          />
        </div>
      ))}
      {events.length < matches && events.length > 0 && (
        <p className="soft">The first {count(events.length)} are shown.</p>
      )}
    </li>
  );
}

/** Which items of the rule the event satisfies, and by what. */
function Reasons({ reasons }: { reasons: TestedEvent['reasons'] }) {
  if (reasons.length === 0) return null;
  return (
    <table className={styles.reasons}>
      <caption className="sr-only">Why it matches</caption>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Asks for</th>
          <th scope="col">Finds</th>
        </tr>
      </thead>
      <tbody>
        {reasons.map(({ part, key, found, values }, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- an item may stand twice in a rule
          <tr key={place}>
            <td>{part}</td>
            <td>
              <code>{key === '' ? 'any text' : key}</code> {values.join(', ')}
            </td>
            <td>{found === null ? (key === '' ? 'in the record' : 'no such field') : found.join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
