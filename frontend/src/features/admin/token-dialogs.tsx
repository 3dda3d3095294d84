import '@mantine/core/styles/Checkbox.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { call, operations, type ApiToken, type OutputOf } from '@svc/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callConfirmed } from '../../api/confirm-password.ts';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/states.tsx';
import styles from './admin.module.css';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { scopeMeanings, scopesByUse, tryLine } from './scopes.ts';

type Created = OutputOf<typeof operations.createApiToken>;

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '180', label: '180 days' },
  { value: '365', label: '365 days' },
  { value: 'never', label: 'Never expires' },
];

/** A new token: first what it may do and for how long, then its secret, once. */
export function CreateToken({ onClose }: { onClose: () => void }) {
  const [unscoped, setUnscoped] = useState(false);
  const create = useMutation({
    mutationFn: (form: FormData) => {
      const days = fieldText(form, 'lifetime');
      return callConfirmed(operations.createApiToken, {
        name: fieldText(form, 'name').trim(),
        scopes: form.getAll('scope').map(String),
        expires_in_days: days === 'never' ? null : days,
      });
    },
    onSuccess: () => invalidate(queryKey(operations.listApiTokens)),
  });
  const submit = (form: FormData) => {
    setUnscoped(!form.has('scope'));
    if (form.has('scope')) create.mutate(form);
  };
  if (create.data) return <Secret created={create.data} onClose={onClose} />;
  return (
    <Dialog title="Create an API token" onClose={onClose}>
      <p className="soft">
        A script with this token acts as you, within the chosen scopes: it sees what you see, and stops working when
        your account does.
      </p>
      <Form
        error={create.error}
        onSubmit={submit}
        actions={<DialogButtons words="Create token" pending={create.isPending} onClose={onClose} />}
      >
        <TextInput
          label="Name"
          name="name"
          placeholder="What it is for, such as the host that runs the script"
          required
          withAsterisk={false}
          maxLength={120}
          autoComplete="off"
          data-autofocus
        />
        <fieldset className={styles.fieldset} aria-describedby={unscoped ? 'scope-problem' : undefined}>
          <legend className={styles.legend}>Scopes</legend>
          <div className={styles.scopes}>
            {scopesByUse.map((scope) => (
              <Checkbox
                key={scope}
                size="xs"
                name="scope"
                value={scope}
                label={
                  <>
                    <code>{scope}</code>
                    <span className={styles.scope}>{scopeMeanings[scope]}</span>
                  </>
                }
                onChange={() => setUnscoped(false)}
              />
            ))}
          </div>
          {unscoped && (
            <p id="scope-problem" role="alert" className={styles.problem}>
              Choose at least one; a token without scopes can do nothing.
            </p>
          )}
        </fieldset>
        <NativeSelect label="Expires after" name="lifetime" defaultValue="90" data={lifetimes} />
      </Form>
    </Dialog>
  );
}

function Secret({ created, onClose }: { created: Created; onClose: () => void }) {
  const line = tryLine(created.token, created.scopes, window.location.origin);
  return (
    <Dialog title="Copy the token now" held onClose={onClose}>
      <Notice tone="warn" icon={<IconAlertTriangle size={18} stroke={1.75} aria-hidden />}>
        <strong>This is the only time that it is shown.</strong> Keep it like a password; whoever has it acts as you.
      </Notice>
      <Copied label="Token" what="the token" text={created.token} />
      {line !== null && <Copied label="Try it" what="the command" text={line} />}
      <div className={styles.end}>
        <Button onClick={onClose}>I have copied it</Button>
      </div>
    </Dialog>
  );
}

function Copied({ label, what, text }: { label: string; what: string; text: string }) {
  return (
    <div>
      <p className={styles.label}>{label}</p>
      <div className={styles.secret}>
        <code>{text}</code>
        <CopyButton text={text} what={what} />
      </div>
    </div>
  );
}

/** Asks before a token ends for good. */
export function RevokeToken({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const revoke = useMutation({
    mutationFn: () => call(operations.revokeApiToken, { id: token.id }),
    onSuccess: async () => {
      await invalidate(queryKey(operations.listApiTokens));
      onClose();
    },
  });
  return (
    <Dialog title={`Revoke “${token.name}”?`} onClose={onClose}>
      <p className="soft">
        Whatever uses the token <code>{token.prefix}…</code> is refused from now on. It cannot be made valid again; a
        new one takes its place.
      </p>
      <Form
        error={revoke.error}
        onSubmit={() => revoke.mutate()}
        actions={<DialogButtons words="Revoke token" pending={revoke.isPending} onClose={onClose} dangerous />}
      >
        {null}
      </Form>
    </Dialog>
  );
}
