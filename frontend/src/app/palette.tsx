import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import { reaches } from '@svc/domain';
import { Modal, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconAffiliate,
  IconArrowRight,
  IconBolt,
  IconFileSearch,
  IconFolder,
  IconListSearch,
  IconSearch,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';
import { casesPageQuery } from '../api/cases.ts';
import { entitiesQuery } from '../api/intel.ts';
import { jobsQuery } from '../api/queries.ts';
import { useMe, useSignOut } from '../api/session.ts';
import { paths } from '../paths.ts';
import { cx } from '../ui/class-names.ts';
import { Kbd } from '../ui/kbd.tsx';
import optionStyles from '../ui/options.module.css';
import { StatusMark } from '../ui/status.tsx';
import { entriesFor } from './all-entries.ts';
import styles from './palette.module.css';
import { entityFor, paletteItems, searchFor, type PaletteAction, type PaletteItem } from './palette-items.ts';

interface PaletteProps {
  readonly onClose: () => void;
  readonly onFold: () => void;
  readonly onShortcuts: () => void;
}

/** Ctrl or ⌘ K: goes to a page or a job by its number, name, hash or search terms, or does something, by typing. */
export function Palette({ onClose, ...deeds }: PaletteProps) {
  const id = useId();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const [typed] = useDebouncedValue(query, 120);
  const wanted = searchFor(query);
  const { data, isError } = useQuery(jobsQuery(1, { q: searchFor(typed), tags: [] }));
  // Jobs of what was typed before would be opened by mistake.
  const found = searchFor(typed) === wanted ? data : undefined;
  // What the service found that cannot be used, and does not look for.
  const problems = found?.query_errors ?? [];
  const me = useMe();
  const name = entityFor(typed);
  const asked = { q: name, types: [], tags: [], job: undefined, sort: 'jobs', page: 1, cursor: undefined };
  const isMember = me !== null && me !== undefined && reaches(me.role, 'member');
  const { data: named } = useQuery({ ...entitiesQuery(asked), enabled: isMember && name !== '' });
  const phrase = typed.trim();
  const { data: cases } = useQuery({
    ...casesPageQuery({ q: phrase, status: 'all' }),
    enabled: isMember && phrase.length > 1 && phrase.length <= 200,
  });
  const items = paletteItems(query, {
    entries: entriesFor(me),
    actions: useActions(deeds),
    jobs: found?.jobs ?? [],
    cases: phrase.length > 1 && query.trim() === phrase ? (cases?.items ?? []) : [],
    entities: name !== '' && entityFor(query) === name ? (named?.items ?? []) : [],
  });
  const current = Math.min(at, items.length - 1);
  const go = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    if (item.kind === 'action') return item.run();
    if (item.kind === 'entity') return void navigate({ to: paths.entity, params: { entityId: item.entityId } });
    if (item.kind === 'case') return void navigate({ to: paths.case, params: { caseId: item.caseId } });
    if (item.kind === 'search') return void navigate({ to: paths.jobs, search: { q: item.q } });
    void (item.kind === 'page'
      ? navigate({ to: item.to })
      : navigate({ to: paths.job, params: { jobId: item.jobId } }));
  };
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) setAt((current + by + items.length) % Math.max(items.length, 1));
    else if (event.key === 'Enter') go(items[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={560}
      yOffset="12vh"
      transitionProps={{ duration: 100, transition: 'fade' }}
      title="Go to"
      // A second banner would compete with the page's own.
      attributes={{ header: { role: 'presentation' } }}
      classNames={{ content: styles.content ?? '', header: 'sr-only' }}
    >
      <label className={styles.field}>
        <IconSearch size={18} stroke={1.75} aria-hidden="true" />
        <input
          data-autofocus
          value={query}
          placeholder="Page, job number, file name, hash, host:ws01 or action"
          role="combobox"
          aria-label="Go to"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={items.length > 0 ? `${id}-${current}` : undefined}
          onChange={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
        <Kbd keys={['Esc']} />
      </label>
      {problems.map(({ start, term, reason }) => (
        <p key={`${start} ${reason}`} role="status" className={styles.problem}>
          <u>{term}</u> {reason}
        </p>
      ))}
      <div role="listbox" id={`${id}-list`} aria-label="Places" className={cx(optionStyles.list, styles.list)}>
        {items.map((item, place) => (
          <div
            key={item.key}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === current}
            className={cx(optionStyles.option, place === current && optionStyles.current)}
            onPointerMove={() => setAt(place)}
            onClick={() => go(item)}
            onKeyDown={onKey}
          >
            <Item item={item} />
          </div>
        ))}
        {items.length === 0 && (
          <p className={styles.none}>
            {isError
              ? 'The service does not answer; jobs cannot be looked for.'
              : found === undefined
                ? 'Looking for jobs …'
                : 'No page and no job is called so. The terms of the jobs list work here, too: host:ws01, ip:10.0.0.5, technique:T1003.'}
          </p>
        )}
      </div>
    </Modal>
  );
}

function Item({ item }: { item: PaletteItem }) {
  const Icon = icons[item.kind];
  return (
    <>
      <Icon size={16} stroke={1.75} aria-hidden="true" className="faint" />
      <span className={cx(styles.label, 'cut')}>{item.label}</span>
      {item.kind === 'job' && item.status && <StatusMark status={item.status} />}
      {item.kind === 'job' && <span className={styles.number}>#{item.jobId}</span>}
    </>
  );
}

const icons = {
  page: IconArrowRight,
  job: IconFileSearch,
  case: IconFolder,
  entity: IconAffiliate,
  search: IconListSearch,
  action: IconBolt,
};

function useActions({ onFold, onShortcuts }: Omit<PaletteProps, 'onClose'>): PaletteAction[] {
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const other = useComputedColorScheme('dark', { getInitialValueInEffect: false }) === 'dark' ? 'light' : 'dark';
  const isSignedIn = Boolean(useMe());
  const signOut = useSignOut();
  return [
    { label: `Use the ${other} theme`, run: () => setColorScheme(other) },
    { label: 'Fold or unfold the rail', run: onFold },
    { label: 'Keyboard shortcuts', run: onShortcuts },
    ...(isSignedIn ? [{ label: 'Sign out', run: () => signOut.mutate() }] : []),
  ];
}
