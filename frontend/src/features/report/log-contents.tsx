import type { Sentence } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { useReport, whatHappenedQuery } from '../../api/report-source.ts';
import { cx } from '../../ui/class-names.ts';
import styles from './log-contents.module.css';

/** What is in a log in which no rule matched, so that it can be told from one that nothing knows how to read. */
export function LogContents() {
  const { data } = useQuery(whatHappenedQuery(useReport()));
  if (!data) return null;
  return (
    <section className={cx('card', styles.contents)} aria-labelledby="log-contents">
      <h2 id="log-contents">What was in the log</h2>
      {data.contents ? (
        <ContentsList contents={data.contents} />
      ) : (
        <p className="soft">It was not counted when this log was analysed. Analyse it again to see.</p>
      )}
    </section>
  );
}

const heads: Readonly<Partial<Record<Sentence['about'], string>>> = {
  records: 'Records',
  time: 'Time',
  hosts: 'Hosts',
  accounts: 'Accounts',
  gaps: 'Gaps',
  rules_for: 'Rules',
};

/** A line for each thing that is told of what is in a log. */
export function ContentsList({ contents }: { contents: readonly Sentence[] }) {
  return (
    <dl className={styles.list}>
      {contents.map(({ about, parts }) => (
        <div key={about}>
          <dt className="faint">{heads[about]}</dt>
          <dd>{parts.map(({ text }) => text).join('')}</dd>
        </div>
      ))}
    </dl>
  );
}
