import '@mantine/core/styles/Input.layer.css';
import { Button, Textarea } from '@mantine/core';
import { call, operations, RequestError, type OutputOf } from '@svc/contracts';
import { entityLimits } from '@svc/domain';
import { useState } from 'react';
import { useEntityChange } from '../../api/intel.ts';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { Failure } from '../../ui/form.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Written } from '../../ui/written.tsx';
import styles from './entity-overview.module.css';

/** A note that somebody writes, and the time of the one that it is to take the place of. */
interface Draft {
  readonly text: string;
  readonly replaces: string;
}

/** The note that all members share; one that was changed meanwhile is not lost. */
export function EntityNote({ entity }: { entity: OutputOf<typeof operations.getEntity> }) {
  const { id, notes, markdown } = entity;
  const [draft, setDraft] = useState<Draft | null>(null);
  const save = useEntityChange(id, ({ text, replaces }: Draft) =>
    call(operations.writeEntityNote, { id, body: text, if_updated_at: replaces }),
  );
  const latest = entity.notes_updated_at ?? '';
  const begin = (text: string) => setDraft({ text, replaces: draft?.replaces ?? latest });
  const isConflict = save.error instanceof RequestError && save.error.code === 'note_conflict';
  const end = () => {
    save.reset();
    setDraft(null);
  };
  if (draft === null && notes !== null) {
    return (
      <div className={styles.note}>
        <Written text={notes} markdown={markdown} />
        <div className={styles.actions}>
          <LinkButton onClick={() => begin(notes)}>Edit</LinkButton>
        </div>
      </div>
    );
  }
  return (
    <form
      className={styles.note}
      onSubmit={(event) => {
        event.preventDefault();
        if (draft === null) return;
        save.mutate(draft, {
          onSuccess: end,
          onError: () => void invalidate(queryKey(operations.getEntity, { id })),
        });
      }}
    >
      <Textarea
        autosize
        minRows={2}
        maxRows={12}
        maxLength={entityLimits.note}
        aria-label="Note"
        placeholder={`What is known of it, for everybody who meets it again${markdown ? '; in Markdown if you like' : ''}`}
        value={draft?.text ?? ''}
        onChange={({ target }) => begin(target.value)}
      />
      {save.error && <Failure error={save.error} />}
      {isConflict && (
        <div className="soft">
          <p>Theirs says:</p>
          <Written text={notes ?? 'Nothing: they cleared it.'} markdown={markdown && notes !== null} />
          <LinkButton
            onClick={() => {
              save.reset();
              if (draft !== null) setDraft({ ...draft, replaces: latest });
            }}
          >
            I have read theirs, mine takes its place
          </LinkButton>
        </div>
      )}
      {draft !== null && (
        <div className={styles.actions}>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
          <Button variant="default" onClick={end}>
            Discard
          </Button>
        </div>
      )}
    </form>
  );
}
