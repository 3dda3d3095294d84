import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { paths } from '../../paths.ts';
import type { JobsView } from './jobs-view.ts';
import styles from './saved-views.module.css';
import { savedViewLimits, viewNamed } from './saved-views.ts';
import { useSavedViews } from './use-saved-views.ts';

interface PanelProps {
  readonly view: JobsView;
  readonly onClose: () => void;
}

/** The saved views, each to open or to delete, and the name to save the present one under. */
export function SavedViewsPanel({ view, onClose }: PanelProps) {
  const field = useRef<HTMLInputElement>(null);
  const { views, isOfAccount, save: saveView, remove } = useSavedViews();
  const [name, setName] = useState('');
  const [outcome, setOutcome] = useState<{ readonly done: string } | { readonly problem: string } | null>(null);
  // The panel comes after its place in the page has taken the focus.
  useEffect(() => field.current?.focus(), []);
  const conclude = async (change: Promise<string | null>, done: string) => {
    const problem = await change;
    setOutcome(problem === null ? { done } : { problem });
    // Also from a button that is gone now.
    field.current?.focus();
    return problem === null;
  };
  const save = async () => {
    if (await conclude(saveView(name, view), `Saved “${name.trim()}”`)) setName('');
  };
  return (
    <>
      {views.length > 0 && (
        <ul className={styles.views}>
          {views.map((saved) => (
            <li key={saved.name} className={styles.row}>
              <Link to={paths.jobs} search={saved.view} className={styles.link} onClick={onClose}>
                <span className="cut">{saved.name}</span>
                <span className={styles.detail}>{summary(saved.view)}</span>
              </Link>
              <ActionIcon
                size={28}
                className={styles.delete ?? ''}
                aria-label={`Delete ${saved.name}`}
                data-hint="Delete"
                onClick={() => void conclude(remove(saved.name), `Deleted “${saved.name}”`)}
              >
                <IconX size={14} stroke={2} />
              </ActionIcon>
            </li>
          ))}
        </ul>
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
          aria-label="Name of this view"
          placeholder="Save this view as…"
          maxLength={savedViewLimits.length}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            setOutcome(null);
          }}
        />
        <Button type="submit" size="xs" variant="default" disabled={name.trim() === ''}>
          {viewNamed(views, name) ? 'Replace' : 'Save'}
        </Button>
      </form>
      <p role="status" className={styles.outcome}>
        {outcome
          ? 'done' in outcome
            ? outcome.done
            : outcome.problem
          : isOfAccount
            ? 'Kept with your account.'
            : 'Kept in this browser.'}
      </p>
    </>
  );
}

/** What a view asks for, in a line. */
function summary({ q, tags = [] }: JobsView): string {
  return [q, ...tags.map((tag) => `#${tag}`)].filter(Boolean).join(' ') || 'All jobs';
}
