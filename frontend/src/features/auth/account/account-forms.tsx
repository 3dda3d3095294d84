import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { call, operations, type Me, type RequestOf } from '@svc/contracts';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryClient } from '../../../api/query-client.ts';
import { meQuery } from '../../../api/session.ts';
import { paths } from '../../../paths.ts';
import { fieldText, refusalAt } from '../../../ui/form-fields.ts';
import { Form } from '../../../ui/form.tsx';
import { FlagField } from '../../../ui/option-field.tsx';
import { reasonOf } from '../../../ui/states.tsx';
import styles from './account-page.module.css';

type Changes = RequestOf<typeof operations.updateMe>;

function useChange() {
  return useMutation({
    mutationFn: (changes: Changes) => call(operations.updateMe, changes),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  });
}

/** The name that others see; an empty one is none. */
export function NameForm({ me }: { me: Me }) {
  const change = useChange();
  return (
    <Form
      error={change.error}
      atFields={['bad_request']}
      onSubmit={(form) => change.mutate({ display_name: fieldText(form, 'name').trim() || null })}
      actions={<Save words="Save name" pending={change.isPending} saved={change.isSuccess} />}
    >
      <TextInput
        label="Name"
        name="name"
        autoComplete="name"
        maxLength={100}
        defaultValue={me.display_name ?? ''}
        error={refusalAt(change.error, 'bad_request')}
        onChange={change.reset}
      />
    </Form>
  );
}

/** Whether choosing files sends them; kept with the account, so for every browser. */
export function SubmittingForm({ me }: { me: Me }) {
  const change = useChange();
  return (
    <div className={styles.preference}>
      <FlagField
        label="Always send at once"
        hint="Files go to the service as soon as they are chosen or dropped"
        checked={me.send_at_once}
        onChange={(sendAtOnce) => change.mutate({ send_at_once: sendAtOnce })}
      />
      <span role="status" className={styles.saved}>
        {change.isSuccess && (
          <>
            <IconCheck size={16} stroke={2} aria-hidden="true" /> Saved
          </>
        )}
      </span>
      {change.isError && <p role="alert">{reasonOf(change.error)}</p>}
    </div>
  );
}

/** The address that one signs in with; the password stands for the person. */
export function EmailForm({ me }: { me: Me }) {
  const change = useChange();
  const [current, setCurrent] = useState('');
  return (
    <Form
      error={change.error}
      atFields={['email_taken', 'bad_request', 'bad_password', 'current_password_required']}
      onSubmit={(form) =>
        change.mutate(
          { email: fieldText(form, 'email').trim(), current_password: current },
          { onSuccess: () => setCurrent('') },
        )
      }
      actions={<Save words="Save address" pending={change.isPending} saved={change.isSuccess} />}
    >
      <TextInput
        label="E-mail"
        name="email"
        type="email"
        autoComplete="email"
        required
        withAsterisk={false}
        defaultValue={me.email}
        error={refusalAt(change.error, 'email_taken', 'bad_request')}
      />
      <CurrentPassword value={current} onChange={setCurrent} error={change.error} />
    </Form>
  );
}

/** A new password ends every session, this one too, so that what follows is signing in. */
export function PasswordForm({ me }: { me: Me }) {
  const navigate = useNavigate();
  const [current, setCurrent] = useState('');
  const change = useMutation({
    mutationFn: (changes: Changes) => call(operations.updateMe, changes),
    onSuccess: async () => {
      await navigate({ to: paths.login, search: { changed: true } });
      await queryClient.resetQueries();
    },
  });
  return (
    <Form
      error={change.error}
      atFields={['weak_password', 'bad_request', 'bad_password', 'current_password_required']}
      onSubmit={(form) => change.mutate({ password: fieldText(form, 'password'), current_password: current })}
      actions={<Save words="Change password" pending={change.isPending} saved={false} />}
    >
      {/* Tells password managers whose password this is. */}
      <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
      <PasswordInput
        label="New password"
        name="password"
        autoComplete="new-password"
        required
        withAsterisk={false}
        error={refusalAt(change.error, 'weak_password', 'bad_request')}
      />
      <CurrentPassword value={current} onChange={setCurrent} error={change.error} />
    </Form>
  );
}

function CurrentPassword(props: { value: string; onChange: (value: string) => void; error: Error | null }) {
  const { value, onChange, error } = props;
  return (
    <PasswordInput
      label="Current password"
      autoComplete="current-password"
      required
      withAsterisk={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={refusalAt(error, 'bad_password', 'current_password_required')}
    />
  );
}

function Save({ words, pending, saved }: { words: string; pending: boolean; saved: boolean }) {
  return (
    <>
      <Button type="submit" loading={pending}>
        {words}
      </Button>
      <span role="status" className={styles.saved}>
        {saved && (
          <>
            <IconCheck size={16} stroke={2} aria-hidden="true" /> Saved
          </>
        )}
      </span>
    </>
  );
}
