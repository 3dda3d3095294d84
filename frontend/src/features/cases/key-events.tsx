import type { CaseTimeline } from '@svc/contracts';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { count } from '../../ui/format.ts';
import tools from '../../ui/panel-tools.module.css';
import { SeverityMark } from '../../ui/severity.tsx';
import { tacticName } from '../../ui/tactic-names.ts';
import { Time } from '../../ui/time.tsx';
import { JobName } from '../../ui/timeline/job-name.tsx';
import type { MarkedJob } from '../../ui/timeline/lanes.ts';
import table from '../../ui/timeline/timeline-table.module.css';
import styles from './key-events.module.css';

interface KeyEventsProps {
  readonly story: CaseTimeline;
  readonly jobs: ReadonlyMap<number, MarkedJob>;
  /** Seconds that the clocks of the logs were ahead. */
  readonly offsets: ReadonlyMap<number, number>;
}

/** The first of the sample events of all findings, whichever log they are of. */
export function KeyEvents({ story, jobs, offsets }: KeyEventsProps) {
  const { key_events: events, key_events_total: total } = story;
  if (events.length === 0) return null;
  return (
    <section className={cx('card', tools.card)} aria-label="Key events">
      <div className={tools.tools}>
        <h2 className={styles.title}>Key events</h2>
        <span className={tools.facts}>
          {events.length < total
            ? `the earliest ${count(events.length)} of ${count(total)} sample events of all findings`
            : `all ${count(total)} sample events of all findings`}
        </span>
      </div>
      <div className={styles.scroll}>
        <table className={table.table}>
          <thead>
            <tr>
              <th className={table.time}>Time (UTC)</th>
              <th>Rule</th>
              <th className={table.tactic}>Tactic</th>
              <th className={table.computer}>Computer</th>
              <th className={styles.event}>Event</th>
              <th className={table.job}>Log</th>
            </tr>
          </thead>
          <tbody>
            {keyed(events).map(({ event, key }) => {
              const job = jobs.get(event.job_id);
              const seen =
                event.time === null ? null : Date.parse(event.time) + (offsets.get(event.job_id) ?? 0) * 1000;
              return (
                <tr key={key}>
                  <td className={table.time}>{event.time === null ? 'without a time' : <Time iso={event.time} />}</td>
                  <td>
                    <Link
                      className={table.rule}
                      to={paths.job}
                      params={{ jobId: event.job_id }}
                      search={{ finding: event.finding_id, ...(seen !== null && { at: seen }) }}
                    >
                      <SeverityMark severity={event.severity} />
                      {event.rule_name}
                    </Link>
                  </td>
                  <td className={table.tactic}>{tacticName(event.grouping)}</td>
                  <td className={cx(table.computer, 'cut')} data-hint={event.computer ?? undefined}>
                    {event.computer}
                  </td>
                  <td className={styles.event}>{event.event_id}</td>
                  <td className={table.job}>{job && <JobName job={job} />}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Events of one finding may be alike in all that is told of them. */
function keyed(events: CaseTimeline['key_events']) {
  const met = new Map<number, number>();
  return events.map((event) => {
    const nth = (met.get(event.finding_id) ?? 0) + 1;
    met.set(event.finding_id, nth);
    return { event, key: `${event.finding_id} ${nth}` };
  });
}
