import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { operations } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pickedEntitiesQuery, useCaseDeed } from '../../api/cases.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/form.tsx';
import { counted } from '../../ui/format.ts';
import { SearchField } from '../../ui/search-field.tsx';
import styles from './case-links.module.css';
import { typeNames } from '../../ui/entity-type-names.ts';

/** Entities to put into a case, by a part of the value. */
export function PickEntities({ id, onClose }: { id: number; onClose: () => void }) {
  const [text, setText] = useState('');
  const { data: found = [] } = useQuery(pickedEntitiesQuery(text));
  const add = useCaseDeed(operations.addCaseEntity);
  const [added, setAdded] = useState<ReadonlySet<number>>(new Set());
  const put = (entity: number) =>
    add.mutate({ id, entity_id: entity }, { onSuccess: () => setAdded((now) => new Set([...now, entity])) });
  return (
    <Dialog title="Add entities" onClose={onClose}>
      <SearchField
        label="Find an entity"
        placeholder="Two characters of the value or more"
        value={text}
        onChange={setText}
      />
      {add.error && <Failure error={add.error} />}
      <ul className={styles.offered}>
        {found.map((entity) => (
          <li key={entity.id}>
            <span className={`${styles.value} cut`} title={entity.value}>
              {entity.value}
            </span>
            <span className="faint">
              {typeNames[entity.entity_type]}, {counted(entity.job_count, 'job')}
            </span>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={`Add ${entity.value}`}
              disabled={add.isPending || added.has(entity.id)}
              onClick={() => put(entity.id)}
            >
              {added.has(entity.id) ? 'Added' : 'Add'}
            </Button>
          </li>
        ))}
        {found.length === 0 && <li className="faint">Nothing of that name; what is allowlisted is left out</li>}
      </ul>
    </Dialog>
  );
}
