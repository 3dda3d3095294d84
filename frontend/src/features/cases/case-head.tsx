import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { ActionIcon, Menu, Switch } from '@mantine/core';
import { operations, type CaseDetails } from '@svc/contracts';
import { caseStatuses, type CaseStatus } from '@svc/domain';
import { IconDots, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCaseDeed } from '../../api/cases.ts';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice.tsx';
import { Failure } from '../../ui/form.tsx';
import { counted, sentence } from '../../ui/format.ts';
import { SeverityMark } from '../../ui/severity.tsx';
import { Age } from '../../ui/time.tsx';
import { CaseExports } from './case-exports.tsx';
import styles from './case-head.module.css';
import { CasePeople } from './case-people.tsx';
import { DeleteCase } from './delete-case.tsx';
import { EditCase } from './edit-case.tsx';

/** What the case is, how bad, and whose; and what its viewer may do to it. */
export function CaseHead({ of }: { of: CaseDetails }) {
  const [dialog, setDialog] = useState<'edit' | 'people' | 'delete' | null>(null);
  const status = useCaseDeed(operations.changeCaseStatus);
  const people = of.collaborators.length;
  const close = () => setDialog(null);
  return (
    <header className={styles.head}>
      <p className={styles.way}>
        <Link to={paths.cases}>Cases</Link> <span className="faint">/ {of.id}</span>
      </p>
      <div className={styles.first}>
        {of.severity && <SeverityMark severity={of.severity} large />}
        <h1 className={styles.name}>{of.name}</h1>
        <div className={styles.actions}>
          <CaseExports of={of} />
          {of.can_edit && (
            <Menu position="bottom-end" width={220} offset={6} transitionProps={{ duration: 100 }}>
              <Menu.Target>
                <ActionIcon variant="default" aria-label="Change this case" data-hint="Change this case">
                  <IconDots size={18} stroke={1.75} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => setDialog('edit')}>
                  Name, summary, severity…
                </Menu.Item>
                <Menu.Item leftSection={<IconUsers size={16} stroke={1.75} />} onClick={() => setDialog('people')}>
                  Who works on it…
                </Menu.Item>
                {of.can_manage && (
                  <>
                    <Menu.Divider />
                    <Menu.Item
                      color="red"
                      leftSection={<IconTrash size={16} stroke={1.75} />}
                      onClick={() => setDialog('delete')}
                    >
                      Delete…
                    </Menu.Item>
                  </>
                )}
              </Menu.Dropdown>
            </Menu>
          )}
        </div>
      </div>
      <div className={styles.facts}>
        <span className={styles.status}>
          <Choice
            label="Status"
            value={of.status}
            open={of.can_edit}
            options={caseStatuses.map((one) => [one, sentence(one)] as const)}
            onChange={(next) => status.mutate({ id: of.id, status: next as CaseStatus })}
          />
        </span>
        {of.can_manage ? (
          <Switch
            size="xs"
            label="Shared with all members"
            checked={of.is_shared}
            disabled={status.isPending}
            onChange={({ currentTarget }) => status.mutate({ id: of.id, is_shared: currentTarget.checked })}
          />
        ) : (
          <span>{of.is_shared ? 'Shared with all members' : 'Not shared'}</span>
        )}
        <span>
          {of.owner === null ? 'Without an owner' : `Owner ${of.owner.name}`}
          {people > 0 && `, with ${of.collaborators.map(({ name }) => name).join(', ')}`}
        </span>
        <span>
          Updated <Age iso={of.updated_at} isSaid />
        </span>
        {of.closed_at !== null && (
          <span>
            Closed <Age iso={of.closed_at} isSaid />
          </span>
        )}
        <span>{counted(of.job_count, 'job')}</span>
        <span>{counted(of.entity_count, 'entity', 'entities')}</span>
      </div>
      {status.error && <Failure error={status.error} />}
      {dialog === 'edit' && <EditCase of={of} onClose={close} />}
      {dialog === 'people' && <CasePeople of={of} onClose={close} />}
      {dialog === 'delete' && <DeleteCase of={of} onClose={close} />}
    </header>
  );
}
