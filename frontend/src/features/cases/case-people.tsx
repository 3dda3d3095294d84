import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { Button } from '@mantine/core';
import { operations, type CaseDetails } from '@svc/contracts';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pickedMembersQuery, useCaseDeed } from '../../api/cases.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/form.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import styles from './case-people.module.css';

/** Who works on a case beside its owner, and whom else one may name. */
export function CasePeople({ of, onClose }: { of: CaseDetails; onClose: () => void }) {
  const [text, setText] = useState('');
  const add = useCaseDeed(operations.addCaseCollaborator);
  const remove = useCaseDeed(operations.removeCaseCollaborator);
  const { data: found = [] } = useQuery({ ...pickedMembersQuery(text), enabled: of.can_manage });
  const named = new Set([of.owner?.id, ...of.collaborators.map(({ id }) => id)]);
  const offered = found.filter(({ id }) => !named.has(id));
  const error = add.error ?? remove.error;
  return (
    <Dialog title="Who works on it" onClose={onClose}>
      <p className="soft">
        They see the case and change what its owner may, but not who sees it, nor whether it stays. Private jobs in it
        stay private.
      </p>
      <ul className={styles.people}>
        {of.owner && (
          <li>
            {of.owner.name} <span className="faint">owner</span>
          </li>
        )}
        {of.collaborators.map(({ id, name }) => (
          <li key={id}>
            {name}
            {of.can_manage && (
              <button
                type="button"
                className={styles.remove}
                aria-label={`Take ${name} off the case`}
                onClick={() => remove.mutate({ id: of.id, account_id: id })}
              >
                <IconX size={14} stroke={2} aria-hidden="true" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {of.can_manage && (
        <>
          <SearchField label="Find a member" placeholder="A part of the name" value={text} onChange={setText} />
          <ul className={styles.people} aria-label="Members">
            {offered.map(({ id, name }) => (
              <li key={id}>
                {name}
                <Button
                  variant="default"
                  size="compact-xs"
                  disabled={add.isPending}
                  onClick={() => add.mutate({ id: of.id, account_id: id })}
                  aria-label={`Name ${name} on the case`}
                >
                  Add
                </Button>
              </li>
            ))}
            {offered.length === 0 && <li className="faint">Nobody else of that name</li>}
          </ul>
        </>
      )}
      {error && <Failure error={error} />}
    </Dialog>
  );
}
