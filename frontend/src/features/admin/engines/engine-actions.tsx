import { Button } from '@mantine/core';
import type { AdminEngine } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changeEngine, isBusy, runEngineTask } from '../../../api/engines.ts';
import { Failure } from '../../../ui/form.tsx';
import { EngineForm } from './engine-form.tsx';
import styles from './engines-page.module.css';

/** What can be done about an engine. */
export function EngineActions({ engine }: { engine: AdminEngine }) {
  const { name, title, enabled, program } = engine;
  const [isAsked, setAsked] = useState(false);
  const toggle = useMutation({ mutationFn: () => changeEngine({ name: name as Named, enabled: !enabled }) });
  const run = useMutation({ mutationFn: (what: 'test' | 'image') => runEngineTask({ name: name as Named, what }) });
  const busy = isBusy(engine);
  return (
    <div className={styles.actions}>
      <Button variant="default" size="compact-sm" aria-label={`Where it is: ${title}`} onClick={() => setAsked(true)}>
        Where it is
      </Button>
      {program !== null && program.kind !== 'path' && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${program.kind === 'image' ? 'Pull' : 'Build'} image of ${title}`}
          disabled={busy}
          onClick={() => run.mutate('image')}
        >
          {program.kind === 'image' ? 'Pull image' : 'Build image'}
        </Button>
      )}
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Test now: ${title}`}
        disabled={busy}
        onClick={() => run.mutate('test')}
      >
        Test now
      </Button>
      <Button
        variant={enabled ? 'default' : 'filled'}
        size="compact-sm"
        aria-label={`${enabled ? 'Disable' : 'Enable'} ${title}`}
        loading={toggle.isPending}
        onClick={() => toggle.mutate()}
      >
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      {(toggle.error ?? run.error) && <Failure error={(toggle.error ?? run.error)!} />}
      {isAsked && <EngineForm engine={engine} onClose={() => setAsked(false)} />}
    </div>
  );
}

/** What of an engine the operations take; the built-in one has no actions. */
type Named = Parameters<typeof changeEngine>[0]['name'];
