import type { Analytics } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { analyticsQuery, useReport } from '../../api/report-source.ts';
import { cx } from '../../ui/class-names.ts';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { useJobView } from './use-job-view.ts';
import styles from './where-and-who.module.css';

type Named = NonNullable<Analytics['frequent']>['computer'];

/** Names of each kind that are shown before all of them are a click away. */
const shownNames = 4;

/** The hosts and users that most matched events name: a host narrows findings and timeline, a user is looked up. */
export function WhereAndWho() {
  const { data, isPending } = useQuery(analyticsQuery(useReport()));
  const [{ host }, change] = useJobView();
  const { frequent, computers = [], users = [] } = data?.analytics ?? {};
  if (isPending) return <section className={cx('card', styles.waiting)} aria-hidden="true" />;
  if (!frequent || computers.length + users.length === 0) return null;
  return (
    <section className={cx('card', styles.card)} aria-label="Hosts and users">
      <Names
        label="Hosts"
        names={frequent.computer}
        total={computers.length}
        chosen={host ?? null}
        onChoose={(name) => change({ host: name === host ? undefined : name })}
        onAll={() => change({ view: 'entities' })}
      />
      <Names
        label="Users"
        names={frequent.user}
        total={users.length}
        onChoose={(name) => change({ view: 'entities', find: name })}
        onAll={() => change({ view: 'entities' })}
      />
    </section>
  );
}

function Names(props: {
  label: string;
  names: Named;
  total: number;
  /** The one that narrows the report, where names do. */
  chosen?: string | null;
  onChoose: (name: string) => void;
  onAll: () => void;
}) {
  const { label, names, total, chosen, onChoose, onAll } = props;
  if (total === 0) return null;
  const shown = names.slice(0, shownNames);
  return (
    <div className={styles.names} role="group" aria-label={label}>
      <span className={styles.label}>{label}</span>
      <div className={styles.shown}>
        {shown.map(({ value, count: events }) => (
          <button
            key={value}
            type="button"
            className={styles.name}
            aria-pressed={chosen === undefined ? undefined : value === chosen}
            data-hint={`${value}: ${counted(events, 'matched event')}`}
            onClick={() => onChoose(value)}
          >
            <span className="cut">{value}</span> <span className={styles.count}>{count(events)}</span>
          </button>
        ))}
        {total > shown.length && <LinkButton onClick={onAll}>{`${count(total - shown.length)} more`}</LinkButton>}
      </div>
    </div>
  );
}
