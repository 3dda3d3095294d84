import '@mantine/core/styles/Input.layer.css';
import { Button, TextInput } from '@mantine/core';
import { caseLimits } from '@svc/domain';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import styles from './case-links.module.css';

interface NoteProps {
  /** What the note is on. */
  readonly what: string;
  readonly note: string | null;
  readonly canChange: boolean;
  readonly isBusy: boolean;
  readonly onSave: (note: string, done: () => void) => void;
}

/** Why something is in a case, written in its place. */
export function LinkNote({ what, note, canChange, isBusy, onSave }: NoteProps) {
  const [text, setText] = useState<string | null>(null);
  if (text === null) {
    return (
      <span className={styles.note}>
        <span className="cut" title={note ?? undefined}>
          {note}
        </span>
        {canChange && (
          <button
            type="button"
            className={styles.pencil}
            aria-label={`Write why ${what} is here`}
            data-hint={note === null ? 'Write why it is here' : 'Change the note'}
            onClick={() => setText(note ?? '')}
          >
            <IconPencil size={14} stroke={1.75} aria-hidden="true" />
          </button>
        )}
      </span>
    );
  }
  return (
    <form
      className={styles.note}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(text, () => setText(null));
      }}
    >
      <TextInput
        size="xs"
        aria-label={`Why ${what} is here`}
        maxLength={caseLimits.linkNote}
        value={text}
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked to write here
        autoFocus
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && setText(null)}
      />
      <Button type="submit" variant="default" size="compact-xs" loading={isBusy}>
        Save
      </Button>
    </form>
  );
}
