import '@mantine/core/styles/Input.layer.css';
import { Textarea } from '@mantine/core';
import { RequestError, type AdminWorkflow, type operations, type OutputOf } from '@svc/contracts';
import { useState, type ReactNode } from 'react';
import { useWorkflowDeed, workflowDeeds } from '../../../api/workflows.ts';
import { cx } from '../../../ui/class-names.ts';
import { DialogButtons } from '../../../ui/dialog-buttons.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { counted } from '../../../ui/format.ts';
import { Notice } from '../../../ui/states.tsx';
import { lineDifferences } from './line-differences.ts';
import { wholeText, type WorkflowDraft } from './workflow-draft.ts';
import styles from './workflows.module.css';

interface DialogProps {
  readonly onClose: () => void;
}

type Named = Pick<AdminWorkflow, 'id' | 'name' | 'origin'>;

export function DeleteWorkflow({
  workflow,
  onClose,
  onDone = onClose,
}: DialogProps & { workflow: Named; onDone?: () => void }): ReactNode {
  const remove = useWorkflowDeed(workflowDeeds.remove, onDone);
  return (
    <Dialog title={`Delete “${workflow.name}”?`} held={remove.isPending} onClose={onClose}>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate(workflow.id)}
        actions={<DialogButtons words="Delete workflow" dangerous pending={remove.isPending} onClose={onClose} />}
      >
        <p>
          Nobody can submit by it any more. Jobs that used it keep their reports and its name, and those that wait are
          still done by it. {workflow.origin === 'own' ? '' : 'It can be brought back as it ships.'}
        </p>
      </Form>
    </Dialog>
  );
}

/** What taking a workflow back would change, line by line. */
export function ResetWorkflow({
  workflow,
  shipped,
  onClose,
}: DialogProps & { workflow: AdminWorkflow; shipped: WorkflowDraft }): ReactNode {
  const reset = useWorkflowDeed(workflowDeeds.reset, onClose);
  return (
    <Dialog title="Take it back to how it ships?" held={reset.isPending} onClose={onClose}>
      <Form
        error={reset.error}
        onSubmit={() => reset.mutate(workflow.id)}
        actions={<DialogButtons words="Take it back" pending={reset.isPending} onClose={onClose} />}
      >
        <p>What would change; from then on it follows updates of the product again.</p>
        <Differences before={wholeText(workflow)} after={wholeText(shipped)} />
      </Form>
    </Dialog>
  );
}

function Differences({ before, after }: { before: string; after: string }) {
  const signs = { same: ' ', gone: '−', new: '+' } as const;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keyboard
    <pre className={styles.differences} role="group" aria-label="Differences" tabIndex={0}>
      {lineDifferences(before, after).map(({ kind, text }, line) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have nothing but their place
        <span key={line} className={cx(styles.line, styles[kind])}>
          {signs[kind]} {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

type Imported = OutputOf<typeof operations.importWorkflows>;

/** First what would become of it, then the import of just that. */
export function ImportWorkflows({ onClose }: DialogProps): ReactNode {
  const [text, setText] = useState('');
  const preview = useWorkflowDeed(workflowDeeds.import);
  const taken = useWorkflowDeed(workflowDeeds.import, onClose);
  const write = (next: string) => {
    setText(next);
    preview.reset();
    taken.reset();
  };
  const error = taken.error ?? preview.error;
  const isLookedAt = preview.data !== undefined;
  return (
    <Dialog title="Import workflows" held={taken.isPending} onClose={onClose}>
      <Form
        error={error instanceof RequestError && error.errors.length > 0 ? null : error}
        onSubmit={() => (isLookedAt ? taken : preview).mutate({ yaml_text: text, dry_run: !isLookedAt })}
        actions={
          <DialogButtons
            words={isLookedAt ? 'Import' : 'Preview'}
            disabled={text.trim() === ''}
            pending={preview.isPending || taken.isPending}
            onClose={onClose}
          />
        }
      >
        <Textarea
          label="Documents"
          description="YAML as it is exported: --- stands between workflows. One whose name is here is changed. All of them are taken, or none."
          rows={10}
          value={text}
          spellCheck={false}
          data-autofocus
          onChange={({ currentTarget }) => write(currentTarget.value)}
        />
        <input
          type="file"
          accept=".yml,.yaml,text/yaml"
          aria-label="A file instead"
          onChange={({ currentTarget }) => void currentTarget.files?.[0]?.text().then(write)}
        />
        {error instanceof RequestError && error.errors.length > 0 && (
          <Notice tone="bad">
            <ul>
              {error.errors.map(({ message }) => (
                <li key={message}>{message}</li>
              ))}
            </ul>
          </Notice>
        )}
        {preview.data && <Plan plan={preview.data} />}
      </Form>
    </Dialog>
  );
}

function Plan({ plan: { changes, created, updated, unchanged, warnings } }: { plan: Imported }) {
  return (
    <Notice tone="info">
      <p>
        The import would make {counted(created, 'new workflow')}, change {updated} and leave {unchanged} as they are.
      </p>
      <ul>
        {changes
          .filter(({ change }) => change !== 'unchanged')
          .map(({ name, change, keys }) => (
            <li key={name}>{change === 'created' ? `New: ${name}` : `Changed: ${name} (${keys.join(', ')})`}</li>
          ))}
        {warnings.map(({ key, message, line }) => (
          <li key={`${key} ${line} ${message}`}>
            {key} {message} {line !== null && `(line ${line})`}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
