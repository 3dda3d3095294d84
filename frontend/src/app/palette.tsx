import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import { Modal } from '@mantine/core';
import type { JobDetail } from '@svc/contracts';
import { IconArrowRight, IconFileSearch, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState, type KeyboardEvent } from 'react';
import { jobsQuery } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { useMe } from '../api/session.ts';
import { paths } from '../paths.ts';
import { cx } from '../ui/class-names.ts';
import { Kbd } from '../ui/kbd.tsx';
import { StatusMark } from '../ui/status.tsx';
import { entriesFor } from './entries.ts';
import styles from './palette.module.css';
import { paletteItems, type KnownHashes, type PaletteItem } from './palette-items.ts';

/** Ctrl or ⌘ K: goes to a page, a job or a recent file by typing. */
export function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const { data } = useQuery(jobsQuery(1, 100));
  const entries = entriesFor(useMe());
  const items = paletteItems(query, { entries, jobs: data?.jobs ?? [], hashes: openedHashes() });
  const current = Math.min(at, items.length - 1);
  const go = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
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
          placeholder="A page, a job number, a file name or SHA-256"
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
      <div role="listbox" id={`${id}-list`} aria-label="Places" className={styles.list}>
        {items.map((item, place) => (
          <div
            key={item.key}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === current}
            className={cx(styles.item, place === current && styles.current)}
            onPointerMove={() => setAt(place)}
            onClick={() => go(item)}
            onKeyDown={onKey}
          >
            <Item item={item} />
          </div>
        ))}
        {items.length === 0 && (
          <p className={styles.none}>Nothing recent by that name. A job number always leads to its job.</p>
        )}
      </div>
    </Modal>
  );
}

function Item({ item }: { item: PaletteItem }) {
  const Icon = item.kind === 'page' ? IconArrowRight : IconFileSearch;
  return (
    <>
      <Icon size={16} stroke={1.75} aria-hidden="true" className="faint" />
      <span className={cx(styles.label, 'cut')}>{item.label}</span>
      {item.kind === 'job' && item.status && <StatusMark status={item.status} />}
      {item.kind === 'job' && <span className={styles.number}>#{item.jobId}</span>}
    </>
  );
}

function openedHashes(): KnownHashes {
  const opened = queryClient.getQueriesData<JobDetail>({ queryKey: ['job'] });
  return new Map(opened.flatMap(([, job]) => (job && 'file' in job ? [[job.job_id, job.file.sha256] as const] : [])));
}
