import '@mantine/core/styles/Input.layer.css';
import { Button, Textarea } from '@mantine/core';
import { operations, RequestError, type CaseDetails } from '@svc/contracts';
import { caseLimits } from '@svc/domain';
import { useSessionStorage } from '@mantine/hooks';
import { useState } from 'react';
import { useCaseDeed } from '../../api/cases.ts';
import { Failure } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Written } from '../../ui/written.tsx';
import { Card } from './case-card.tsx';
import styles from './case-overview.module.css';
import { NarrativeHistory } from './narrative-history.tsx';

/** A narrative that somebody writes, and the version that it is to take the place of. */
interface Draft {
  readonly text: string;
  readonly version: number;
}

/** What happened, as those who work on the case tell it; what was begun stays in this browser tab until it is saved. */
export function CaseNarrative({ of }: { of: CaseDetails }) {
  const [draft, setDraft] = useSessionStorage<Draft | null>({
    key: `svc-narrative-${of.id}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  const [isLookingBack, setLookingBack] = useState(false);
  const save = useCaseDeed(operations.writeCaseNarrative);
  const begin = (text = of.narrative ?? '') => setDraft({ text, version: of.narrative_version });
  const isConflict = save.error instanceof RequestError && save.error.code === 'note_conflict';
  const end = () => {
    save.reset();
    setDraft(null);
  };
  const aside = (
    <span className={styles.aside}>
      {of.narrative_version > 0 && <LinkButton onClick={() => setLookingBack(true)}>Earlier versions</LinkButton>}
      {of.can_edit && draft === null && of.narrative !== null && <LinkButton onClick={() => begin()}>Edit</LinkButton>}
    </span>
  );
  return (
    <Card title="Narrative" aside={aside}>
      {draft === null ? (
        <>
          {of.narrative === null ? (
            <p className="soft">Nobody has told yet what happened here.</p>
          ) : (
            <Written text={of.narrative} markdown={of.markdown} />
          )}
          {of.can_edit && of.narrative === null && (
            <div className={styles.buttons}>
              <Button variant="default" onClick={() => begin()}>
                Write the narrative
              </Button>
            </div>
          )}
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate({ id: of.id, body: draft.text, if_version: draft.version }, { onSuccess: end });
          }}
        >
          <div className={of.markdown ? styles.split : undefined}>
            <Textarea
              aria-label="Narrative"
              placeholder={of.markdown ? 'What happened, in Markdown if you like' : 'What happened'}
              autosize
              minRows={8}
              maxRows={30}
              maxLength={caseLimits.narrative}
              value={draft.text}
              onChange={({ currentTarget }) => setDraft({ ...draft, text: currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }}
            />
            {of.markdown && (
              <div className={styles.preview} role="region" aria-label="Preview">
                <Written text={draft.text} markdown />
              </div>
            )}
          </div>
          {save.error && <Failure error={save.error} />}
          {isConflict && (
            <p className="soft">
              Theirs is under “Earlier versions”, the first of them. Yours is kept here:{' '}
              <LinkButton
                onClick={() => {
                  save.reset();
                  setDraft({ ...draft, version: of.narrative_version });
                }}
              >
                I have read theirs, mine takes its place
              </LinkButton>
            </p>
          )}
          <div className={styles.buttons}>
            <Button type="submit" loading={save.isPending} data-hint="Ctrl Enter">
              Save
            </Button>
            <Button variant="default" onClick={end}>
              Discard
            </Button>
            <span className="faint">{count(caseLimits.narrative - draft.text.length)} characters left</span>
          </div>
        </form>
      )}
      {isLookingBack && (
        <NarrativeHistory of={of} onTake={of.can_edit ? begin : null} onClose={() => setLookingBack(false)} />
      )}
    </Card>
  );
}
