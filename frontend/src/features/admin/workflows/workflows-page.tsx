import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { ActionIcon, Button, Switch } from '@mantine/core';
import type { operations, OutputOf } from '@svc/contracts';
import { IconCopy, IconDownload, IconPlus, IconTrash, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { adminWorkflowsQuery, useWorkflowDeed, workflowDeeds, workflowsDownload } from '../../../api/workflows.ts';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { Failure } from '../../../ui/form.tsx';
import { count, counted } from '../../../ui/format.ts';
import { GuideLink } from '../../../ui/guide-link.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { shortTypes } from '../../../ui/log-types.ts';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import table from '../../../ui/table.module.css';
import { DeleteWorkflow, ImportWorkflows } from './workflow-dialogs.tsx';
import styles from './workflows.module.css';

type Workflow = OutputOf<typeof operations.listAdminWorkflows>['workflows'][number];

const origins = { shipped: 'Ships', edited: 'Ships, edited', own: 'Own' } as const;
const states = { runs: '', skipped: ' (skipped)', left_out: ' (left out)' } as const;

/** How logs are analysed, workflow by workflow, for administrators. */
export function WorkflowsPage(): ReactNode {
  const { data, error, refetch } = useQuery(adminWorkflowsQuery);
  const [asked, setAsked] = useState<'import' | Workflow | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <title>Workflows · svc</title>
      <PageHead title="Workflows" total={data?.workflows.length}>
        <Button
          variant="default"
          component="a"
          href={workflowsDownload()}
          download
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
        >
          Export YAML
        </Button>
        <Button
          variant="default"
          leftSection={<IconUpload size={16} stroke={1.75} aria-hidden="true" />}
          onClick={() => setAsked('import')}
        >
          Import YAML
        </Button>
        <Button
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
          renderRoot={(props) => <Link to={paths.workflow} params={{ workflow: 'new' }} {...props} />}
        >
          New workflow
        </Button>
      </PageHead>
      {data === undefined && error ? (
        <ErrorState what="The workflows cannot be listed" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={320} />
      ) : (
        <>
          <Table workflows={data.workflows} onDelete={setAsked} />
          {data.deleted.map(({ id, name }) => (
            <Deleted key={id} id={id} name={name} />
          ))}
        </>
      )}
      <p className={styles.note}>
        A workflow that is switched off takes no new jobs; those that are there are done all the same.{' '}
        <GuideLink chapter="workflows">Workflows in the guide</GuideLink>
      </p>
      {asked === 'import' && <ImportWorkflows onClose={close} />}
      {asked !== null && asked !== 'import' && <DeleteWorkflow workflow={asked} onClose={close} />}
    </>
  );
}

function Table({ workflows, onDelete }: { workflows: readonly Workflow[]; onDelete: (workflow: Workflow) => void }) {
  return (
    <div className={cx('card', table.wrap)}>
      <table className={cx(table.table, table.roomy)}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className={styles.types}>
              Logs
            </th>
            <th scope="col" className={styles.engines}>
              Tasks
            </th>
            <th scope="col" className={styles.origin}>
              From
            </th>
            <th scope="col" className={cx(styles.jobs, 'num')}>
              Jobs
            </th>
            <th scope="col" className={styles.on}>
              On
            </th>
            <th scope="col" className={styles.buttons}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {workflows.map((workflow) => (
            <Row key={workflow.id} workflow={workflow} onDelete={() => onDelete(workflow)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ workflow, onDelete }: { workflow: Workflow; onDelete: () => void }) {
  const { id, name, description, log_types: types, engines, origin, jobs, is_default: isDefault, enabled } = workflow;
  const navigate = useNavigate();
  const change = useWorkflowDeed(workflowDeeds.change);
  const duplicate = useWorkflowDeed(workflowDeeds.duplicate, ({ workflow: copy }) =>
    navigate({ to: paths.workflow, params: { workflow: String(copy.id) } }),
  );
  const error = change.error ?? duplicate.error;
  const chosen = change.isPending ? change.variables.enabled : undefined;
  const logs = types.map((type) => shortTypes[type]).join(', ') || 'Every type';
  const tasks = engines.map(({ tool, state }) => `${tool}${states[state]}`).join(', ');
  return (
    <>
      <tr className={table.row}>
        <td>
          <Link to={paths.workflow} params={{ workflow: String(id) }} data-hint={name}>
            {name}
          </Link>{' '}
          {isDefault ? (
            <span className={styles.mark}>Default</span>
          ) : (
            enabled && (
              <LinkButton className={styles.quiet} onClick={() => change.mutate({ id, is_default: true })}>
                Make default
              </LinkButton>
            )
          )}
          <span className={table.second}>{description}</span>
        </td>
        <td className={cx(styles.types, 'soft')} data-hint={logs}>
          {logs}
        </td>
        <td className={cx(styles.engines, 'soft')} data-hint={tasks}>
          {engines.length === 0 ? 'Cannot be read' : counted(engines.length, 'task')}
        </td>
        <td className="soft">{origins[origin]}</td>
        <td className="num">
          {jobs === 0 ? (
            <span className="faint">–</span>
          ) : (
            <Link to={paths.jobs} search={{ q: `workflow:"${name}"` }}>
              {count(jobs)}
            </Link>
          )}
        </td>
        <td>
          <Switch
            size="xs"
            aria-label={`${name} is on`}
            checked={typeof chosen === 'boolean' ? chosen : enabled}
            onChange={({ currentTarget }) => change.mutate({ id, enabled: currentTarget.checked })}
          />
        </td>
        <td>
          <div className={styles.icons}>
            <ActionIcon
              aria-label={`Copy ${name}`}
              data-hint="Copy"
              loading={duplicate.isPending}
              onClick={() => duplicate.mutate(id)}
            >
              <IconCopy size={18} stroke={1.75} />
            </ActionIcon>
            <ActionIcon
              component="a"
              href={workflowsDownload(id)}
              download
              aria-label={`Export ${name}`}
              data-hint="Export YAML"
            >
              <IconDownload size={18} stroke={1.75} />
            </ActionIcon>
            <ActionIcon aria-label={`Delete ${name}`} data-hint="Delete" onClick={onDelete}>
              <IconTrash size={18} stroke={1.75} />
            </ActionIcon>
          </div>
        </td>
      </tr>
      {error && (
        <tr>
          <td colSpan={7}>
            <Failure error={error} />
          </td>
        </tr>
      )}
    </>
  );
}

/** One that ships and was deleted here. */
function Deleted({ id, name }: { id: number; name: string }) {
  const reset = useWorkflowDeed(workflowDeeds.reset);
  return (
    <div className={styles.note}>
      “{name}” ships with the product and was deleted here.{' '}
      <LinkButton disabled={reset.isPending} onClick={() => reset.mutate(id)}>
        Bring it back
      </LinkButton>
      {reset.error && <Failure error={reset.error} />}
    </div>
  );
}
