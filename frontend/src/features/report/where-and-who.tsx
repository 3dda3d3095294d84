import type { Analytics, FindingRow } from '@svc/contracts';
import { IconTargetArrow } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { analyticsQuery, markersQuery, useReport } from '../../api/report-source.ts';
import { Door, useDoor } from '../../ui/door.tsx';
import type { DoorKind, DoorValue } from '../../ui/door-value.ts';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { useKnownHint } from './doors/use-known-door.ts';
import { matchesByHost } from './findings/count-matches.ts';
import { timeWindow } from './job-view.ts';
import { useJobView } from './use-job-view.ts';
import styles from './where-and-who.module.css';

type Named = readonly NonNullable<Analytics['frequent']>['computer'][number][];

/** Names of each kind that are shown where there is room, before all of them are a click away. */
const shownNames = 6;

/**
 * The hosts and users that most matched events name: a host narrows findings and timeline, a user is looked up. Hosts
 * are those of the findings that pass the other filters, of all there are.
 */
export function WhereAndWho({ findings, all }: { findings: readonly FindingRow[]; all: readonly FindingRow[] }) {
  const report = useReport();
  const { data, isPending } = useQuery(analyticsQuery(report));
  const [{ host, from, to }, change] = useJobView();
  const isNarrowed = from !== undefined || findings.length < all.length;
  const { data: markers } = useQuery({ ...markersQuery(report), enabled: isNarrowed });
  const { frequent, computers = [], users = [] } = data?.analytics ?? {};
  const hosts = useMemo(() => {
    if (!isNarrowed || markers === undefined) return frequent?.computer ?? [];
    const ids = new Set(findings.map(({ id }) => id));
    return matchesByHost(markers, (id) => ids.has(id), { window: timeWindow({ from, to }) });
  }, [isNarrowed, markers, frequent, findings, from, to]);
  if (isPending) return <section className={styles.waiting} aria-hidden="true" />;
  if (!frequent || computers.length + users.length === 0) return null;
  return (
    <section className={styles.line} aria-label="Hosts and users">
      <Names
        label="Hosts"
        kind="host"
        names={hosts}
        total={computers.length}
        chosen={host ?? null}
        onChoose={(name) => change({ host: name === host ? undefined : name })}
        onAll={() => change({ view: 'entities' })}
      />
      <Names
        label="Users"
        kind="user"
        names={frequent.user}
        total={users.length}
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
  /** What a name does; it opens as a door where it does nothing else. */
  onChoose?: (name: string) => void;
  kind: DoorKind;
  onAll: () => void;
}) {
  const { label, names, total, chosen, onChoose, kind, onAll } = props;
  if (total === 0) return null;
  const shown = names.slice(0, shownNames);
  return (
    <div className={styles.names} role="group" aria-label={label}>
      <span className={styles.label}>{label}</span>
      <div className={styles.shown}>
        {shown.map(({ value, count: events }) => (
          <Name key={value} door={{ kind, value }} events={events} chosen={chosen} onChoose={onChoose} />
        ))}
      </div>
      {total > 1 && <LinkButton className={styles.all} onClick={onAll}>{`All ${count(total)}`}</LinkButton>}
    </div>
  );
}

function Name(props: {
  door: DoorValue;
  events: number;
  chosen: string | null | undefined;
  onChoose: ((name: string) => void) | undefined;
}) {
  const { door, events, chosen, onChoose } = props;
  const { value } = door;
  const open = useDoor();
  const known = useKnownHint(door);
  return (
    <span className={styles.one}>
      <button
        type="button"
        className={styles.name}
        aria-pressed={chosen === undefined ? undefined : value === chosen}
        data-hint={[`${value}: ${counted(events, 'matched event')}`, known].filter(Boolean).join('\n')}
        aria-haspopup={onChoose ? undefined : 'dialog'}
        onClick={({ currentTarget }) => (onChoose ? onChoose(value) : open?.(door, currentTarget))}
      >
        <span className="cut">{value}</span> <span className={styles.count}>{count(events)}</span>
      </button>
      {onChoose && (
        <Door to={door} className={styles.door}>
          <IconTargetArrow size={14} stroke={2} aria-hidden="true" />
        </Door>
      )}
    </span>
  );
}
