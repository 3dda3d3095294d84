import { ActionIcon, Button } from '@mantine/core';
import { IconPencil, IconUsers, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { cx } from '../class-names.ts';
import { PartPager } from '../pager.tsx';
import { reasonOf } from '../states.tsx';
import styles from './saved-searches.module.css';

/** A search that is kept, as the panel shows it. */
export interface KeptSearch {
  readonly key: string | number;
  readonly name: string;
  /** What it asks for, in a line. */
  readonly detail: string;
  /** Whose it is, where that is somebody else. */
  readonly owner: string | null;
  readonly isShared: boolean;
  readonly canChange: boolean;
}

/** What can be done; a refusal says what is in the way. */
export interface SearchDeeds<K extends KeptSearch> {
  readonly save: (name: string) => Promise<void>;
  readonly remove: (search: K) => Promise<void>;
  /** Absent where nobody else could see it. */
  readonly share?: ((search: K, isShared: boolean) => Promise<void>) | undefined;
  readonly rename?: ((search: K, name: string) => Promise<void>) | undefined;
}

interface PanelProps<K extends KeptSearch> {
  /** What one is called: view. */
  readonly thing: string;
  readonly searches: readonly K[];
  readonly deeds: SearchDeeds<K>;
  /** Where they are kept, in a sentence. */
  readonly where: string;
  readonly longest: number;
  /** The link that opens one, with these parts of it. */
  readonly renderLink: (search: K, parts: { readonly className: string; readonly children: ReactNode }) => ReactNode;
  /** Stands at the end of the row of one. */
  readonly renderAside?: (search: K) => ReactNode;
}

const per = 50;

/** What is kept, each to open, rename, share or delete, and the name to save the present one under. */
export function SavedSearchesPanel<K extends KeptSearch>(props: PanelProps<K>) {
  const { thing, searches, deeds, where, longest, renderLink, renderAside } = props;
  const field = useRef<HTMLInputElement>(null);
  const [asked, setAsked] = useState(1);
  const [name, setName] = useState('');
  const [renaming, setRenaming] = useState<K['key'] | null>(null);
  const [outcome, setOutcome] = useState<{ readonly done: string } | { readonly problem: string } | null>(null);
  // The panel comes after its place in the page has taken the focus.
  useEffect(() => field.current?.focus(), []);
  const conclude = async (change: Promise<void>, done: string) => {
    const problem = await change.then(() => null, reasonOf);
    setOutcome(problem === null ? { done } : { problem });
    // Also from a button that is gone now.
    field.current?.focus();
    return problem === null;
  };
  const save = async () => {
    if (await conclude(deeds.save(name), `Saved “${name.trim()}”`)) setName('');
  };
  const rename = async (search: K, wanted: string) => {
    if (wanted.trim() === search.name || (await conclude(deeds.rename!(search, wanted), `Renamed “${search.name}”`)))
      setRenaming(null);
  };
  const pages = Math.max(1, Math.ceil(searches.length / per));
  const page = Math.min(asked, pages);
  const shown = searches.slice((page - 1) * per, page * per);
  const isOwn = (search: K) => search.owner === null && search.name.toLowerCase() === name.trim().toLowerCase();
  return (
    <>
      {searches.length > 0 && (
        <ul className={styles.views}>
          {shown.map((search) => (
            <li key={search.key} className={styles.row}>
              {renaming === search.key ? (
                <RenameField
                  search={search}
                  longest={longest}
                  onName={(wanted) => void rename(search, wanted)}
                  onClose={() => setRenaming(null)}
                />
              ) : (
                renderLink(search, { className: styles.link ?? '', children: <Words search={search} /> })
              )}
              {renderAside?.(search)}
              {search.canChange && deeds.share && (
                <ActionIcon
                  size={28}
                  className={cx(styles.act, search.isShared && styles.on)}
                  aria-label={`Share ${search.name} with all members`}
                  aria-pressed={search.isShared}
                  data-hint={
                    search.isShared
                      ? 'Shared with all members; click to keep it to its owner'
                      : 'Share with all members'
                  }
                  onClick={() =>
                    void conclude(
                      deeds.share!(search, !search.isShared),
                      search.isShared
                        ? `“${search.name}” is its owner’s alone`
                        : `All members find “${search.name}” now`,
                    )
                  }
                >
                  <IconUsers size={14} stroke={2} />
                </ActionIcon>
              )}
              {search.canChange && deeds.rename && (
                <ActionIcon
                  size={28}
                  className={styles.act ?? ''}
                  aria-label={`Rename ${search.name}`}
                  data-hint="Rename"
                  onClick={() => setRenaming(search.key)}
                >
                  <IconPencil size={14} stroke={2} />
                </ActionIcon>
              )}
              {search.canChange && (
                <ActionIcon
                  size={28}
                  className={styles.act ?? ''}
                  aria-label={`Delete ${search.name}`}
                  data-hint="Delete"
                  onClick={() => void conclude(deeds.remove(search), `Deleted “${search.name}”`)}
                >
                  <IconX size={14} stroke={2} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      {pages > 1 && (
        <div className={styles.pages}>
          <PartPager
            part={{ page, total: searches.length, total_pages: pages }}
            per={per}
            rows={shown.length}
            onPage={setAsked}
          />
        </div>
      )}
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <input
          ref={field}
          data-autofocus
          className={styles.input}
          aria-label={`Name of this ${thing}`}
          placeholder={`Save this ${thing} as…`}
          maxLength={longest}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setOutcome(null);
          }}
        />
        <Button type="submit" size="xs" variant="default" disabled={name.trim() === ''}>
          {searches.some(isOwn) ? 'Replace' : 'Save'}
        </Button>
      </form>
      <p role="status" className={styles.outcome}>
        {outcome ? ('done' in outcome ? outcome.done : outcome.problem) : where}
      </p>
    </>
  );
}

function Words({ search: { name, detail, owner } }: { search: KeptSearch }) {
  return (
    <>
      <span className="cut">{name}</span>
      <span className={styles.detail}>{owner === null ? detail : `${owner} · ${detail}`}</span>
    </>
  );
}

interface RenameProps {
  readonly search: KeptSearch;
  readonly longest: number;
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

function RenameField({ search, longest, onName, onClose }: RenameProps) {
  const [text, setText] = useState(search.name);
  return (
    <form
      className={styles.renaming}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onName(text);
      }}
    >
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it came because somebody asked for it
        autoFocus
        className={styles.input}
        aria-label={`New name of ${search.name}`}
        maxLength={longest}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // The menu stays.
          event.stopPropagation();
          onClose();
        }}
      />
    </form>
  );
}
