import { NativeSelect, TextInput } from '@mantine/core';
import { operations, type User } from '@svc/contracts';
import { roles, type Role } from '@svc/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiTokensQuery } from '../../api/admin.ts';
import { callConfirmed } from '../../api/confirm-password.ts';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { fieldText, refusalAt } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { counted, sentence } from '../../ui/format.ts';
import styles from './admin.module.css';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { NewPassword } from './new-password.tsx';

interface DialogProps {
  readonly onClose: () => void;
}

/** A new account, which can sign in at once. */
export function CreateUser({ onClose }: DialogProps) {
  const create = useMutation({
    mutationFn: (form: FormData) =>
      callConfirmed(operations.createUser, {
        email: fieldText(form, 'email').trim(),
        display_name: fieldText(form, 'name').trim() || null,
        role: fieldText(form, 'role') as Role,
        password: fieldText(form, 'password'),
      }),
    onSuccess: async () => {
      await invalidate(queryKey(operations.listUsers));
      onClose();
    },
  });
  return (
    <Dialog title="Create a user" onClose={onClose}>
      <Form
        error={create.error}
        atFields={['email_taken', 'weak_password']}
        onSubmit={create.mutate}
        actions={<DialogButtons words="Create user" pending={create.isPending} onClose={onClose} />}
      >
        <TextInput
          label="E-mail"
          name="email"
          type="email"
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
          error={refusalAt(create.error, 'email_taken')}
        />
        <TextInput label="Name (optional)" name="name" autoComplete="off" maxLength={100} />
        <NativeSelect
          label="Role"
          name="role"
          defaultValue="member"
          data={roles.map((role) => ({ value: role, label: `${sentence(role)}: ${roleMeanings[role]}` }))}
        />
        <NewPassword error={create.error} />
      </Form>
    </Dialog>
  );
}

const roleMeanings: Record<Role, string> = {
  user: 'submits logs, privately too',
  member: 'as a user; part of the team',
  admin: 'reads everything, manages users and tokens',
};

/** Another password, for someone who cannot sign in any more. */
export function SetPassword({ user, isOwn, onClose }: DialogProps & { user: User; isOwn: boolean }) {
  const set = useMutation({
    mutationFn: (form: FormData) =>
      callConfirmed(operations.setUserPassword, { id: user.id, password: fieldText(form, 'password') }),
    onSuccess: onClose,
  });
  return (
    <Dialog title={`Set the password of ${user.email}`} onClose={onClose}>
      <p className="soft">
        {isOwn
          ? 'You stay signed in here; your sessions in other browsers end.'
          : 'All sessions of this account end. Its API tokens go on working.'}
      </p>
      <Form
        error={set.error}
        atFields={['weak_password']}
        onSubmit={set.mutate}
        actions={<DialogButtons words="Set password" pending={set.isPending} onClose={onClose} />}
      >
        <NewPassword error={set.error} />
      </Form>
    </Dialog>
  );
}

/** Asks before an account goes for good, and says what becomes of what it leaves. */
export function DeleteUser({ user, onClose }: DialogProps & { user: User }) {
  const { data } = useQuery(apiTokensQuery);
  const tokens = data?.tokens.filter(({ creator, state }) => creator === user.email && state === 'active').length;
  const remove = useMutation({
    mutationFn: () => callConfirmed(operations.deleteUser, { id: user.id }),
    onSuccess: async () => {
      await invalidate(queryKey(operations.listUsers));
      void invalidate(queryKey(operations.listApiTokens));
      onClose();
    },
  });
  return (
    <Dialog title={`Delete ${user.email}?`} onClose={onClose}>
      <ul className={styles.list}>
        <li>
          Its jobs and their reports stay, without a submitter. Private ones can then be read by administrators only.
        </li>
        <li>{tokenFate(tokens)}</li>
        <li>It is signed out everywhere. This cannot be undone; to keep the account, deactivate it instead.</li>
      </ul>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate()}
        actions={<DialogButtons words="Delete user" pending={remove.isPending} onClose={onClose} dangerous />}
      >
        {null}
      </Form>
    </Dialog>
  );
}

function tokenFate(active: number | undefined): string {
  if (active === 0) return 'It has no active API tokens.';
  return `${active === undefined ? 'Its API tokens' : `Its ${counted(active, 'active API token')}`} will be refused at once.`;
}
