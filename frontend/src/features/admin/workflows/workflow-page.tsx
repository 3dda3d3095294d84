import '@mantine/core/styles/Input.layer.css';
import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue, useSessionStorage } from '@mantine/hooks';
import type { AdminWorkflow, operations, OutputOf } from '@svc/contracts';
import { logTypeLabels, logTypes, workflowLimits } from '@svc/domain';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import {
  adminWorkflowsQuery,
  useWorkflowDeed,
  workflowCheckQuery,
  workflowDeeds,
  workflowQuery,
} from '../../../api/workflows.ts';
import { paths } from '../../../paths.ts';
import { Failure } from '../../../ui/form.tsx';
import { GuideLink } from '../../../ui/guide-link.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { NotFound } from '../../../ui/not-found.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorState, Notice, Skeleton } from '../../../ui/states.tsx';
import { YamlField } from '../../../ui/yaml-field.tsx';
import { Chips } from '../../../ui/chips.tsx';
import { readTasks, withTask } from './edit-tasks.ts';
import { SampleRun } from './sample-run.tsx';
import { TaskForm } from './task-form.tsx';
import { draftOf, isSame, newWorkflow, type WorkflowDraft } from './workflow-draft.ts';
import { DeleteWorkflow, ResetWorkflow } from './workflow-dialogs.tsx';
import { definitionField, markedLines, WorkflowProblems } from './workflow-problems.tsx';
import styles from './workflows.module.css';

const route = getRouteApi(paths.workflow);

/** A workflow is written as a form or as YAML, whichever one likes; each follows the other. */
export function WorkflowPage(): ReactNode {
  const { workflow } = route.useParams();
  if (workflow === 'new') return <Editor key="new" workflow={null} shipped={null} />;
  return /^[1-9]\d{0,9}$/.test(workflow) ? <StoredWorkflow id={Number(workflow)} /> : <NotFound />;
}

function StoredWorkflow({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({
    ...workflowQuery(id),
    // Another one would take the place of what is being written.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (data) return <Editor key={`${id} ${data.workflow.updated_at}`} {...data} />;
  if (!error) return <Skeleton height={320} />;
  return <ErrorState whole what="The workflow cannot be opened" error={error} retry={() => void refetch()} />;
}

interface EditorProps {
  /** Null for a new one. */
  readonly workflow: AdminWorkflow | null;
  readonly shipped: OutputOf<typeof operations.getWorkflow>['shipped'];
}

function Editor({ workflow, shipped }: EditorProps) {
  const navigate = route.useNavigate();
  const initial = workflow ? draftOf(workflow) : newWorkflow;
  const [draft, setDraft] = useDraft(initial, workflow);
  const change = (changed: Partial<WorkflowDraft>) => setDraft({ ...draft, ...changed });
  const [asked, setAsked] = useState<'delete' | 'reset' | null>(null);
  const known = useQuery(adminWorkflowsQuery).data;
  const { name, log_types, tasks } = draft;
  const [settled] = useDebouncedValue({ name, log_types: [...log_types], tasks }, 250);
  const { data: checked, error: unchecked } = useQuery(workflowCheckQuery(settled));
  const isSettled = settled.tasks === tasks && settled.name === name;
  const isDirty = workflow === null || !isSame(draft, initial);
  const save = useWorkflowDeed(
    () => {
      const fields = { ...draft, log_types: [...log_types] };
      return workflow
        ? workflowDeeds.change({ id: workflow.id, updated_at: workflow.updated_at, ...fields })
        : workflowDeeds.create(fields);
    },
    ({ workflow: { id } }) => {
      setDraft(initial);
      if (!workflow) void navigate({ to: paths.workflow, params: { workflow: String(id) }, replace: true });
    },
  );
  const words = workflow?.name ?? 'New workflow';
  return (
    <>
      <title>{`${words} · Workflows · svc`}</title>
      <PageHead title={words}>
        <GuideLink chapter="workflows" />
        <Link to={paths.workflows}>All workflows</Link>
      </PageHead>
      {workflow?.origin === 'edited' && (
        <Notice tone="info">
          This workflow ships with the product and was edited here, so that updates leave it as it is.{' '}
          {shipped && <LinkButton onClick={() => setAsked('reset')}>See the differences, or take it back</LinkButton>}
        </Notice>
      )}
      {workflow?.origin === 'shipped' && (
        <p className="soft">It ships with the product and follows its updates until you edit it.</p>
      )}
      <div className={styles.split}>
        <section aria-label="Form" className={styles.form}>
          <TextInput
            label="Name"
            value={name}
            maxLength={workflowLimits.name}
            autoComplete="off"
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <TextInput
            label="What it is for (optional)"
            value={draft.description}
            maxLength={workflowLimits.description}
            autoComplete="off"
            onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          />
          <Chips
            label="Types of logs"
            title="Types of logs"
            none="every type, unknown ones too"
            chosen={log_types}
            options={logTypes.map((type) => [type, logTypeLabels[type]] as const)}
            onChange={(chosen) => change({ log_types: chosen })}
          />
          <TaskForms tasks={tasks} known={known} onChange={(text) => change({ tasks: text })} />
        </section>
        <section aria-label="Definition" className={styles.form}>
          <YamlField
            id={definitionField}
            label="Tasks as YAML"
            value={tasks}
            marked={isSettled ? markedLines(checked?.problems ?? []) : new Map()}
            onChange={(text) => change({ tasks: text })}
          />
          {unchecked ? <Failure error={unchecked} /> : <WorkflowProblems problems={checked?.problems} />}
          {save.error && <Failure error={save.error} />}
          <footer className={styles.deeds}>
            <Button
              disabled={!isDirty || !isSettled || checked?.valid !== true}
              loading={save.isPending}
              onClick={() => save.mutate(undefined)}
            >
              {workflow ? 'Save' : 'Make workflow'}
            </Button>
            {!isSame(draft, initial) && <LinkButton onClick={() => setDraft(initial)}>Begin anew</LinkButton>}
            {workflow && <LinkButton onClick={() => setAsked('delete')}>Delete</LinkButton>}
            <span className="soft">Jobs that begin from then on are done by it.</span>
          </footer>
          {workflow && <SampleRun workflow={workflow} isDirty={isDirty} />}
        </section>
      </div>
      {asked === 'delete' && workflow && (
        <DeleteWorkflow
          workflow={workflow}
          onClose={() => setAsked(null)}
          onDone={() => void navigate({ to: paths.workflows })}
        />
      )}
      {asked === 'reset' && workflow && shipped && (
        <ResetWorkflow workflow={workflow} shipped={shipped} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

/** The tasks of a definition in their order, each with what can be chosen here. */
function TaskForms({
  tasks,
  known,
  onChange,
}: {
  tasks: string;
  known: OutputOf<typeof operations.listAdminWorkflows> | undefined;
  onChange: (text: string) => void;
}) {
  const read = readTasks(tasks);
  if (read === null) {
    return <p className="soft">The YAML cannot be read as it stands; once it can, its tasks are here again.</p>;
  }
  return (
    <div className={styles.tasks}>
      <h2>Tasks, in order</h2>
      {read.map((task, index) => (
        <TaskForm
          // oxlint-disable-next-line react/no-array-index-key -- tasks have nothing but their place
          key={index}
          task={task}
          index={index}
          count={read.length}
          known={known}
          onEdit={(edit) => onChange(edit(tasks))}
        />
      ))}
      <div>
        <Button variant="default" onClick={() => onChange(withTask(tasks, 'sigma-native'))}>
          Add a task
        </Button>
      </div>
    </div>
  );
}

/** What is written, which survives a reload until it is saved or begun anew. */
function useDraft(
  initial: WorkflowDraft,
  workflow: AdminWorkflow | null,
): [WorkflowDraft, (draft: WorkflowDraft) => void] {
  const of = workflow ? `${workflow.id} ${workflow.updated_at}` : 'new';
  const [kept, setKept] = useSessionStorage<{ of: string; draft: WorkflowDraft } | null>({
    key: 'svc-workflow-draft',
    defaultValue: null,
    getInitialValueInEffect: false,
  });
  return [
    kept?.of === of ? kept.draft : initial,
    (draft) => setKept(isSame(draft, initial) ? null : { of, draft: draftOf(draft) }),
  ];
}
