import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Button, Switch, Textarea } from '@mantine/core';
import { operations, RequestError, type ImportedAlertRules } from '@svc/contracts';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { importRules, useDocumentDeed } from '../../api/rule-lists.ts';
import { useMe } from '../../api/session.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { counted } from '../../ui/format.ts';
import { Notice } from '../../ui/states.tsx';
import styles from './lists.module.css';

/** Rules and lists as a YAML document: out of the service, and into it. */
export function RuleDocuments(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        component="a"
        href={operations.exportAlertRules.path}
        download
        leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}
      >
        Export YAML
      </Button>
      <Button
        variant="default"
        leftSection={<IconUpload size={16} stroke={1.75} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        Import YAML
      </Button>
      {isOpen && <ImportDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** First what would become of it, then the import of just that. */
function ImportDialog({ onClose }: { onClose: () => void }) {
  const isAdmin = useMe()?.role === 'admin';
  const [text, setText] = useState('');
  const [isShared, setShared] = useState(false);
  const preview = useDocumentDeed(importRules);
  const taken = useDocumentDeed(importRules);
  const forget = () => {
    preview.reset();
    taken.reset();
  };
  const asked = { yaml_text: text, as_shared: isShared };
  const done = taken.data ?? preview.data;
  const error = taken.error ?? preview.error;
  return (
    <Dialog title="Import rules" onClose={onClose}>
      <Textarea
        label="Document"
        description="YAML with rules and, for administrators, lists; all of it is taken or nothing"
        rows={10}
        value={text}
        spellCheck={false}
        data-autofocus
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          forget();
        }}
      />
      <input
        type="file"
        accept=".yml,.yaml,text/yaml"
        aria-label="A file instead"
        onChange={({ currentTarget }) => {
          forget();
          void currentTarget.files?.[0]?.text().then(setText);
        }}
      />
      {isAdmin && (
        <Switch
          label="As shared rules, by their keys"
          checked={isShared}
          onChange={({ currentTarget }) => {
            setShared(currentTarget.checked);
            forget();
          }}
        />
      )}
      {error !== null && <Refusal error={error} />}
      {done && <Outcome done={done} isTaken={taken.data !== undefined} />}
      <div className={styles.deeds}>
        {taken.data === undefined && (
          <Button
            variant="default"
            disabled={text.trim() === ''}
            loading={preview.isPending}
            onClick={() => preview.mutate({ ...asked, dry_run: true })}
          >
            Preview
          </Button>
        )}
        {taken.data === undefined && (
          <Button
            disabled={preview.data === undefined}
            loading={taken.isPending}
            onClick={() => taken.mutate({ ...asked, dry_run: false })}
          >
            Import
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {taken.data === undefined ? 'Cancel' : 'Close'}
        </Button>
      </div>
    </Dialog>
  );
}

function Refusal({ error }: { error: Error }) {
  const reasons = error instanceof RequestError ? error.errors : [];
  return (
    <Notice tone="bad">
      {reasons.length === 0 ? (
        error.message
      ) : (
        <ul className={styles.messages}>
          {reasons.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function Outcome({ done, isTaken }: { done: ImportedAlertRules; isTaken: boolean }) {
  const { changes, warnings } = done;
  const many = (change: string): number => changes.filter((one) => one.change === change).length;
  return (
    <Notice tone={isTaken ? 'good' : 'info'}>
      <p>
        {isTaken ? 'Imported' : 'The import would make'}: {counted(many('created'), 'new entry', 'new entries')},{' '}
        {many('updated')} changed, {many('unchanged')} as before
      </p>
      <ul className={styles.messages}>
        {changes
          .filter(({ change }) => change !== 'unchanged')
          .map(({ kind, name, is_shared: isShared, change }) => (
            <li key={`${kind} ${String(isShared)} ${name}`}>
              {change === 'created' ? 'New' : 'Changed'} {kind === 'rule' && isShared ? 'shared rule' : kind}: {name}
            </li>
          ))}
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Notice>
  );
}
