import { Button } from '@mantine/core';
import type { CaseDetails } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { caseNarrativesQuery } from '../../api/cases.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import { Written } from '../../ui/written.tsx';
import styles from './case-overview.module.css';

interface HistoryProps {
  readonly of: CaseDetails;
  /** Begins a new narrative with an earlier one; null for who may not write. */
  readonly onTake: ((text: string) => void) | null;
  readonly onClose: () => void;
}

/** What the narrative said before. */
export function NarrativeHistory({ of, onTake, onClose }: HistoryProps) {
  const { data, error, refetch } = useQuery(caseNarrativesQuery(of.id));
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = data?.narratives.find(({ version }) => version === chosen) ?? data?.narratives[0];
  return (
    <Dialog title="Versions of the narrative" onClose={onClose}>
      {data === undefined && error !== null && (
        <ErrorState what="The versions cannot be read" error={error} retry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton height={160} />}
      {data !== undefined && shown !== undefined && (
        <>
          <div className={styles.versions}>
            <ul className={styles.list} aria-label="Versions">
              {data.narratives.map(({ version, saved_by: by, saved_at: at }) => (
                <li key={version}>
                  <button
                    type="button"
                    className={styles.version}
                    aria-pressed={version === shown.version}
                    onClick={() => setChosen(version)}
                  >
                    {version === of.narrative_version ? 'Now' : `Version ${version}`}{' '}
                    <span className="faint">
                      {by ?? 'somebody'}, <Age iso={at} isSaid />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            <div className={styles.preview}>
              {shown.body === '' ? <p className="soft">Empty</p> : <Written text={shown.body} markdown={of.markdown} />}
            </div>
          </div>
          {onTake && shown.version !== of.narrative_version && (
            <div className={styles.buttons}>
              <Button
                variant="default"
                onClick={() => {
                  onTake(shown.body);
                  onClose();
                }}
              >
                Write on from this one
              </Button>
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}
