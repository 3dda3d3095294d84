import '@mantine/core/styles/CloseButton.layer.css';
import { Button, CloseButton } from '@mantine/core';
import type { Tag } from '@svc/contracts';
import { mostAliases } from '@svc/domain';
import { IconEqual, IconFolderPlus, IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type ComponentType } from 'react';
import { uniteEntities } from '../../api/aliases.ts';
import { askForCase } from '../../api/adding-to-case.ts';
import { doToEntities, type EntityDeed } from '../../api/entity-deeds.ts';
import { count, counted } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { DeedOutcome, type Outcome } from '../../ui/selection/deed-outcome.tsx';
import styles from '../../ui/selection/selection-bar.module.css';
import { reasonOf } from '../../ui/states.tsx';
import { useKeys } from '../../ui/use-keys.ts';

/** Offers the vocabulary of tags, to give and to take. */
export type TagPickerPart = ComponentType<{
  readonly carriers: readonly never[];
  readonly words: string;
  readonly shortcut?: string;
  readonly isKnownOnly?: boolean;
  readonly limit: { readonly disabled: boolean };
  readonly opened: boolean;
  readonly onOpen: (opened: boolean) => void;
  readonly onPick: (tag: Tag) => void;
}>;

interface SelectionBarProps {
  readonly TagPicker: TagPickerPart;
  readonly ids: readonly number[];
  /** Where all of a page are chosen and the search finds more: how many of these can be chosen at once. */
  readonly all: number | null;
  readonly total: number;
  readonly onSelectAll: () => Promise<void>;
  readonly onClear: () => void;
}

/** What can be done with the chosen entities, and what the last deed came to (resolved-intel 4.5). */
export function EntitySelectionBar({ TagPicker, ids, all, total, onSelectAll, onClear }: SelectionBarProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [picking, setPicking] = useState<'tag' | 'untag' | null>(null);
  const fail = (error: Error) => setOutcome({ text: reasonOf(error), isBad: true });
  const selectAll = useMutation({ mutationFn: onSelectAll, onError: fail });
  const deed = useMutation({
    mutationFn: ({ what, on }: { what: EntityDeed; on: readonly number[]; isUndo?: boolean }) =>
      doToEntities(what, on, (done) => {
        if (done > 0) setOutcome({ text: `${count(done)} of ${count(on.length)} done …` });
      }),
    onSuccess: ({ changed, error }, { what, on, isUndo = false }) => {
      const undo = () => deed.mutate({ what: { ...what, isOn: !what.isOn }, on: changed, isUndo: true });
      const said = isUndo ? `Undone for ${entities(changed.length)}` : deedWords(what, changed.length, on.length);
      setOutcome({
        text: error === null ? said : `${reasonOf(error)} ${said}`,
        ...(error !== null && { isBad: true }),
        ...(changed.length > 0 && !isUndo && { undo }),
      });
    },
  });
  const start = (what: EntityDeed) => {
    setPicking(null);
    deed.mutate({ what, on: ids });
  };
  const unite = useMutation({
    mutationFn: (some: readonly number[]) => uniteEntities(some),
    onSuccess: (_, some) => setOutcome({ text: `${entities(some.length)} are the same now` }),
    onError: fail,
  });
  useKeys({ t: () => (ids.length > 0 ? setPicking('tag') : false) });
  if (ids.length === 0 && !outcome) return null;
  const limit = { disabled: deed.isPending };
  const picker = (which: 'tag' | 'untag') => ({
    carriers: [],
    limit,
    opened: picking === which,
    onOpen: (opened: boolean) => setPicking(opened ? which : null),
    onPick: (tag: Tag) => start({ tag, isOn: which === 'tag' }),
  });
  return (
    <section className={styles.bar} aria-label="Chosen entities">
      {ids.length > 0 && (
        <>
          <strong>{entities(ids.length)}</strong>
          {all !== null && ids.length < all && (
            <LinkButton disabled={selectAll.isPending} onClick={() => selectAll.mutate()}>
              {all < total ? `Select the newest ${count(all)}` : `Select all ${count(all)}`}
            </LinkButton>
          )}
          <span className={styles.rule} />
          <TagPicker words="Tag" shortcut="t" {...picker('tag')} />
          <TagPicker words="Untag" isKnownOnly {...picker('untag')} />
          <Button
            variant="default"
            leftSection={<IconFolderPlus size={14} stroke={1.75} />}
            onClick={() => askForCase({ entities: ids })}
          >
            Add to case
          </Button>
          <Button
            variant="default"
            leftSection={<IconEqual size={14} stroke={1.75} />}
            data-hint="Other writings of one account or host, which lists and graphs show as one"
            disabled={unite.isPending || ids.length < 2 || ids.length > mostAliases}
            onClick={() => unite.mutate(ids)}
          >
            The same
          </Button>
          <Button
            variant="default"
            leftSection={<IconShieldCheck size={14} stroke={1.75} />}
            data-hint="Leaves them out of feeds and graphs; searches still find them"
            {...limit}
            onClick={() => start({ tag: null, isOn: true })}
          >
            Allowlist
          </Button>
          <Button
            variant="default"
            leftSection={<IconShieldOff size={14} stroke={1.75} />}
            {...limit}
            onClick={() => start({ tag: null, isOn: false })}
          >
            Take off the allowlist
          </Button>
        </>
      )}
      <DeedOutcome outcome={outcome} />
      <CloseButton
        size="sm"
        aria-label="Clear the selection"
        data-hint="Clear (Esc)"
        onClick={() => {
          setOutcome(null);
          onClear();
        }}
      />
    </section>
  );
}

function entities(many: number): string {
  return counted(many, 'entity', 'entities');
}

function deedWords({ tag, isOn }: EntityDeed, changed: number, of: number): string {
  const rest = of === changed ? '' : `; ${count(of - changed)} ${isOn ? 'were so' : 'were not'} before`;
  if (tag === null) {
    return `${isOn ? `Allowlisted ${entities(changed)}` : `Took ${entities(changed)} off the allowlist`}${rest}`;
  }
  return `${isOn ? `Tagged ${entities(changed)} “${tag.tag}”` : `Took “${tag.tag}” off ${entities(changed)}`}${rest}`;
}
