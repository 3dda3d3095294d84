import { Button } from '@mantine/core';
import { IconWorldSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { caseEnrichmentQuery, isLookingUp, useCaseEnrichment } from '../../api/enrichment.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/form.tsx';
import { count } from '../../ui/format.ts';
import styles from './case-links.module.css';

/** Has services of others asked about the entities of a case; nothing where there are none. */
export function CaseEnrichment({ id }: { id: number }) {
  const { data } = useQuery(caseEnrichmentQuery(id));
  const [isOpen, setOpen] = useState(false);
  const deed = useCaseEnrichment(id);
  if (data === undefined || data.services.length === 0) return null;
  const active = data.runs.filter(isLookingUp);
  const done = active.reduce((sum, run) => sum + run.done, 0);
  const total = active.reduce((sum, run) => sum + run.total, 0);
  return (
    <>
      <Button variant="default" leftSection={<IconWorldSearch size={14} stroke={1.75} />} onClick={() => setOpen(true)}>
        {active.length > 0 ? `Looking up: ${count(done)} of ${count(total)}` : 'Look up'}
      </Button>
      {isOpen && (
        <Dialog title="Look up the entities of this case" onClose={() => setOpen(false)}>
          <p className="soft">
            Whom you ask learns of the values. Addresses of private networks are left out, and what was asked of late is
            not asked again.
          </p>
          <ul className={styles.services}>
            {data.services.map(({ id: serviceId, name }) => {
              const run = data.runs.find((one) => one.service_id === serviceId);
              const isActive = run !== undefined && isLookingUp(run);
              return (
                <li key={serviceId}>
                  <span>
                    <strong>{name}</strong>
                    {run && (
                      <span className="faint">
                        {' '}
                        {run.status === 'cancelled' ? 'stopped, ' : run.status === 'failed' ? 'failed, ' : ''}
                        {run.detail ?? `${count(run.done)} of ${count(run.total)}`}
                      </span>
                    )}
                  </span>
                  <Button
                    variant="default"
                    size="compact-sm"
                    loading={deed.isPending}
                    aria-label={isActive ? `Stop asking ${name}` : `Ask ${name}`}
                    onClick={() => deed.mutate(isActive ? { stop: run.id } : { ask: serviceId })}
                  >
                    {isActive ? 'Stop' : 'Ask'}
                  </Button>
                </li>
              );
            })}
          </ul>
          {deed.error && <Failure error={deed.error} />}
        </Dialog>
      )}
    </>
  );
}
