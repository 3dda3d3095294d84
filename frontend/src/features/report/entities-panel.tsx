import type { Analytics } from '@svc/contracts';
import { useState } from 'react';
import { useKnown } from '../../api/known-values.ts';
import { useReport } from '../../api/report-source.ts';
import { cx } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Door } from '../../ui/door.tsx';
import type { DoorKind } from '../../ui/door-value.ts';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { knownHint } from './doors/known-words.ts';
import { SeenBefore } from './seen-before.tsx';
import { WithAnalytics } from './analytics-state.tsx';
import styles from './entities-panel.module.css';
import { useJobView } from './use-job-view.ts';

type Frequent = NonNullable<Analytics['frequent']>;
type EntityType = keyof Frequent;

/** Types in display order, with the list of all their values (resolved-intel 1.2). */
const types = [
  ['user', 'Users', 'users'],
  ['computer', 'Computers', 'computers'],
  ['ip_address', 'IPs', 'ip_addresses'],
  ['hash', 'Hashes', 'hashes'],
  ['executable', 'Executables', 'executables'],
  ['domain', 'Domains', 'domains'],
  ['cmdline_file', 'Command-line files', 'cmdline_files'],
  ['service', 'Services', 'services'],
  ['task', 'Tasks', 'tasks'],
] as const satisfies readonly (readonly [EntityType, string, keyof Analytics])[];

const doorKindOf: Readonly<Record<EntityType, DoorKind>> = {
  user: 'user',
  computer: 'host',
  ip_address: 'ip',
  hash: 'hash',
  executable: 'program',
  domain: 'domain',
  cmdline_file: 'program',
  service: 'other',
  task: 'other',
};

const fewValues = 12;

/** What the matched events name: accounts, hosts, addresses, files. */
export function EntitiesPanel() {
  const [{ find: text = '' }, change] = useJobView();
  return (
    <WithAnalytics>
      {(analytics) => (
        <>
          <div className={cx('card', styles.tools)}>
            <SearchField
              label="Filter entities"
              placeholder="Filter what events name"
              value={text}
              onChange={(find) => change({ find: find || undefined })}
            />
            <span className={styles.seen}>
              from {analytics.events_capped && 'the first '}
              {counted(analytics.events_seen, 'matched event')}
            </span>
          </div>
          <SeenBefore />
          <div className={styles.grid}>
            {types.map(([type, label, list]) => (
              <TypeCard
                key={type}
                type={type}
                label={label}
                frequent={analytics.frequent?.[type] ?? []}
                all={analytics[list] ?? []}
                text={text.trim().toLowerCase()}
              />
            ))}
          </div>
        </>
      )}
    </WithAnalytics>
  );
}

interface TypeProps {
  readonly type: EntityType;
  readonly label: string;
  readonly frequent: Frequent[EntityType];
  readonly all: readonly string[];
  readonly text: string;
}

function TypeCard({ type, label, frequent, all, text }: TypeProps) {
  const [open, setOpen] = useState(false);
  const counts = new Map(frequent.map(({ value, count: events }) => [value, events]));
  const rest = all.filter((value) => !counts.has(value));
  const found = [...counts.keys(), ...rest].filter((value) => value.toLowerCase().includes(text));
  if (found.length === 0) return null;
  const shown = open ? found : found.slice(0, fewValues);
  return (
    <section className={cx('card', styles.type)} aria-label={label}>
      <header className={styles.head}>
        <h2 className={styles.label}>{label}</h2>
        <span className={styles.total}>{count(found.length)}</span>
        <CopyButton text={found.join('\n')} what={`all ${label}`} />
      </header>
      <ul className={styles.values}>
        {shown.map((value) => (
          <Value key={value} type={type} value={value} events={counts.get(value)} />
        ))}
      </ul>
      {found.length > fewValues && (
        <LinkButton className={styles.more} onClick={() => setOpen(!open)}>
          {open ? 'Show fewer' : `Show all ${count(found.length)}`}
        </LinkButton>
      )}
    </section>
  );
}

/** A value, with how often it was seen before, and what else is known of it when it is pointed at. */
function Value(props: { type: EntityType; value: string; events: number | undefined }) {
  const { type, value, events } = props;
  const known = useKnown(useReport().jobId, { entity_type: type, value });
  const lines = [value.length > 28 && value, known && knownHint(known)];
  return (
    <li className={styles.value}>
      <code className="cut">
        <Door
          to={{ kind: doorKindOf[type], value }}
          className="cut"
          hint={lines.filter(Boolean).join('\n') || undefined}
        />
      </code>
      <span className={cx(styles.known, known?.jobs_before === 0 && styles.new)}>
        {known && (known.jobs_before === 0 ? 'new' : counted(known.jobs_before, 'job'))}
      </span>
      <span className={styles.count}>{events !== undefined && count(events)}</span>
      <CopyButton text={value} what={value} className={styles.copy} />
    </li>
  );
}
