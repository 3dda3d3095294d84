import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { ActionIcon, NativeSelect, Switch, TextInput } from '@mantine/core';
import type { operations, OutputOf } from '@svc/contracts';
import { builtInEngine, severities } from '@svc/domain';
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { sentence } from '../../../ui/format.ts';
import { Chips } from '../../../ui/chips.tsx';
import { withMoved, withoutTask, withValue, type TaskFields } from './edit-tasks.ts';
import styles from './workflows.module.css';

/** Statuses that Sigma rules have. */
const ruleStatuses = ['stable', 'test', 'experimental', 'deprecated', 'unsupported'] as const;

interface TaskFormProps {
  readonly task: TaskFields;
  readonly index: number;
  readonly count: number;
  readonly known: OutputOf<typeof operations.listAdminWorkflows> | undefined;
  /** The definition with something changed. */
  readonly onEdit: (edit: (text: string) => string) => void;
}

/** One task: what runs, by which rules, and for how long. */
export function TaskForm({ task, index, count, known, onEdit }: TaskFormProps): ReactNode {
  const number = index + 1;
  const set = (path: readonly string[], value: Parameters<typeof withValue>[3]) =>
    onEdit((text) => withValue(text, index, path, value));
  const engines = known?.engines ?? [];
  const isBuiltIn = task.tool === builtInEngine;
  const names = engines.map(({ name }) => name);
  const tools = names.includes(task.tool) ? names : [task.tool, ...names];
  return (
    <fieldset className={styles.task}>
      <legend className="sr-only">Task {number}</legend>
      <div className={styles.taskHead}>
        <span className={styles.number}>{number}</span>
        <NativeSelect
          aria-label={`Engine of task ${number}`}
          className={styles.engine ?? ''}
          value={task.tool}
          data={tools.map((name) => ({
            value: name,
            label: engines.find((one) => one.name === name)?.enabled === true ? name : `${name} (not enabled here)`,
          }))}
          onChange={({ currentTarget }) => set(['tool'], currentTarget.value)}
        />
        <ActionIcon
          aria-label={`Move task ${number} up`}
          data-hint="Earlier"
          disabled={index === 0}
          onClick={() => onEdit((text) => withMoved(text, index, -1))}
        >
          <IconArrowUp size={18} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          aria-label={`Move task ${number} down`}
          data-hint="Later"
          disabled={number === count}
          onClick={() => onEdit((text) => withMoved(text, index, 1))}
        >
          <IconArrowDown size={18} stroke={1.75} />
        </ActionIcon>
        <ActionIcon
          aria-label={`Remove task ${number}`}
          data-hint="Remove"
          onClick={() => onEdit((text) => withoutTask(text, index))}
        >
          <IconTrash size={18} stroke={1.75} />
        </ActionIcon>
      </div>
      {isBuiltIn ? (
        <RuleFields task={task} number={number} packs={known?.packs ?? []} set={set} />
      ) : (
        <>
          <Committed
            label="Rule folders"
            description="With commas between them"
            value={task.rulesPaths.join(', ')}
            onCommit={(value) => set(['rules_path'], parts(value))}
          />
          <Switch
            label="Leave it out where the engine is not enabled, instead of showing it as skipped"
            checked={task.whenAvailable}
            onChange={({ currentTarget }) => set(['when_available'], currentTarget.checked || undefined)}
          />
        </>
      )}
      <div className={styles.pair}>
        <Committed
          label="At most (seconds)"
          value={task.timeout}
          placeholder="300"
          numeric
          onCommit={(value) => set(['timeout'], numberOf(value))}
        />
        <Committed
          label="Sample events a finding"
          value={task.samples}
          placeholder="As the site has it"
          numeric
          onCommit={(value) => set(['max_finding_details'], numberOf(value))}
        />
      </div>
      {task.others.length > 0 && <p className="faint">In the YAML alone: {task.others.join(', ')}</p>}
    </fieldset>
  );
}

interface RuleFieldsProps extends Pick<TaskFormProps, 'task'> {
  readonly number: number;
  readonly packs: readonly { readonly name: string; readonly enabled: boolean; readonly rules: number }[];
  readonly set: (path: readonly string[], value: Parameters<typeof withValue>[3]) => void;
}

/** Which rules the built-in engine runs. */
function RuleFields({ task, number, packs, set }: RuleFieldsProps) {
  const named = task.packs ?? [];
  const installed = packs.map(({ name, enabled, rules }) => [name, `${name} (${enabled ? rules : 'off'})`] as const);
  const gone = named
    .filter((name) => !packs.some((pack) => pack.name === name))
    .map((name) => [name, `${name} (not here)`] as const);
  return (
    <>
      <Chips
        label={`Rule packs of task ${number}`}
        title="Rule packs"
        none="all that are enabled"
        chosen={named}
        options={[...installed, ...gone]}
        onChange={(chosen) => set(['packs'], chosen.length === 0 ? 'all' : chosen)}
      />
      <div className={styles.pair}>
        <NativeSelect
          label="Least severity"
          value={task.minLevel}
          data={[{ value: '', label: 'Any' }, ...severities.map((level) => ({ value: level, label: sentence(level) }))]}
          onChange={({ currentTarget }) => set(['filters', 'min_level'], currentTarget.value)}
        />
        <Committed
          label="Leave out rules"
          placeholder="Ids, with commas between them"
          value={task.exclude.join(', ')}
          onCommit={(value) => set(['filters', 'exclude'], parts(value))}
        />
      </div>
      <Chips
        label={`Status of the rules of task ${number}`}
        title="Status of the rules"
        none="any"
        chosen={task.statuses}
        options={ruleStatuses.map((status) => [status, status] as const)}
        onChange={(chosen) => set(['filters', 'status'], chosen)}
      />
    </>
  );
}

/** A field that is taken when it is left, so that a half-written list is not read. */
function Committed(props: {
  label: string;
  description?: string;
  placeholder?: string;
  value: string;
  numeric?: boolean;
  onCommit: (value: string) => void;
}) {
  const { value, onCommit, numeric = false, ...rest } = props;
  return (
    <TextInput
      {...rest}
      key={value}
      defaultValue={value}
      autoComplete="off"
      {...(numeric && { inputMode: 'numeric' })}
      onBlur={({ currentTarget }) => currentTarget.value !== value && onCommit(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
    />
  );
}

function parts(value: string): string[] {
  return value.split(',').flatMap((part) => part.trim() || []);
}

/** What is no number goes into the text as it is, where it is told what is wrong with it. */
function numberOf(value: string): number | string {
  const text = value.trim();
  return /^\d+$/.test(text) ? Number(text) : text;
}
