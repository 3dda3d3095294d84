import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Button, CloseButton, Switch } from '@mantine/core';
import type { Entity } from '@svc/contracts';
import { IconEqual } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { aliasSuggestionsQuery, useAliasChange } from '../../api/aliases.ts';
import { Failure } from '../../ui/form.tsx';
import { counted } from '../../ui/format.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { EntityLink } from './entity-link.tsx';
import styles from './entity-overview.module.css';

interface AliasesProps {
  readonly entity: Entity;
  /** Whether jobs and findings are those of all of them. */
  readonly isCounted: boolean;
  readonly onCount: (isCounted: boolean) => void;
}

/** What members say is the same, and the way to say so. */
export function EntityAliases({ entity: { id, value, aliases }, isCounted, onCount }: AliasesProps) {
  const [isAdding, setIsAdding] = useState(false);
  const change = useAliasChange(id);
  const separate = (other: number) => change.mutate({ other, isSame: false });
  return (
    <>
      {aliases.length > 0 && (
        <>
          <ul className={styles.list}>
            {aliases.map((other) => (
              <li key={other.id} className={styles.row}>
                <EntityLink entity={other} className={styles.link} />
                <CloseButton
                  size="sm"
                  aria-label={`“${other.value}” is another`}
                  data-hint="It is another"
                  disabled={change.isPending}
                  onClick={() => separate(other.id)}
                />
              </li>
            ))}
          </ul>
          <Switch
            className={styles.counting}
            label="Jobs and findings of all of them"
            checked={isCounted}
            onChange={({ currentTarget }) => onCount(currentTarget.checked)}
          />
        </>
      )}
      <div className={styles.actions}>
        <Button
          variant="default"
          size="compact-xs"
          aria-expanded={isAdding}
          leftSection={<IconEqual size={12} stroke={2} />}
          onClick={() => setIsAdding(!isAdding)}
        >
          Same as…
        </Button>
        {aliases.length > 0 && (
          <Button
            variant="default"
            size="compact-xs"
            data-hint={`The others stay together, without “${value}”`}
            disabled={change.isPending}
            onClick={() => separate(id)}
          >
            By itself
          </Button>
        )}
      </div>
      {change.error && <Failure error={change.error} />}
      {isAdding && (
        <Suggestions
          id={id}
          isBusy={change.isPending}
          onPick={(other) => change.mutate({ other, isSame: true })}
          onLeave={() => setIsAdding(false)}
        />
      )}
    </>
  );
}

interface SuggestionsProps {
  readonly id: number;
  readonly isBusy: boolean;
  readonly onPick: (id: number) => void;
  readonly onLeave: () => void;
}

/** Other writings of its value, and what else a text is in. */
function Suggestions({ id, isBusy, onPick, onLeave }: SuggestionsProps) {
  const [text, setText] = useState('');
  const q = text.trim();
  const { data, error, refetch } = useQuery(aliasSuggestionsQuery(id, q));
  return (
    <div
      className={styles.suggestions}
      role="presentation"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onLeave();
      }}
    >
      <SearchField
        label="Search for what is the same"
        placeholder="Part of its value"
        value={text}
        onChange={setText}
      />
      {data === undefined ? (
        error ? (
          <ErrorState what="Suggestions cannot be read" error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton height={32} />
        )
      ) : (
        <ul className={styles.list} aria-label="It may be the same as">
          {data.items.map((other) => (
            <li key={other.id} className={styles.row}>
              <EntityLink entity={other} className={styles.link} />
              <span className="faint">{counted(other.job_count, 'job')}</span>
              <Button
                variant="default"
                size="compact-xs"
                aria-label={`Same as “${other.value}”`}
                disabled={isBusy}
                onClick={() => onPick(other.id)}
              >
                Same
              </Button>
            </li>
          ))}
          {data.items.length === 0 && (
            <li className="soft">{q === '' ? 'Nothing looks like another writing of it.' : 'Nothing of its type.'}</li>
          )}
        </ul>
      )}
    </div>
  );
}
