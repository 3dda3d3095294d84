import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { ActionIcon, Switch } from '@mantine/core';
import { operations, type User } from '@svc/contracts';
import { roles, type Role } from '@svc/domain';
import { IconLockPassword, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { showUser } from '../../api/admin.ts';
import { callConfirmed } from '../../api/confirm-password.ts';
import { Choice } from '../../ui/choice.tsx';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { sentence } from '../../ui/format.ts';
import table from '../../ui/table.module.css';
import { Age } from '../../ui/time.tsx';
import styles from './admin.module.css';

const roleNames = roles.map((role) => [role, sentence(role)] as const);

interface RowProps {
  readonly user: User;
  readonly isOwn: boolean;
  readonly onPassword: () => void;
  readonly onDelete: () => void;
}

/** One account; role and activity change in place, and a refusal stands beneath its row. */
export function UserRow({ user, isOwn, onPassword, onDelete }: RowProps) {
  const { id, email } = user;
  const role = useMutation({
    mutationFn: (chosen: Role) => callConfirmed(operations.setUserRole, { id, role: chosen }),
    onSuccess: showUser,
  });
  const active = useMutation({
    mutationFn: (chosen: boolean) => callConfirmed(operations.setUserActive, { id, is_active: chosen }),
    onSuccess: showUser,
  });
  const error = role.error ?? active.error;
  const change = (run: () => void) => {
    role.reset();
    active.reset();
    run();
  };
  return (
    <>
      <tr className={table.row}>
        <td>
          <span className={styles.address}>
            <span className={styles.main} data-hint={email}>
              {email}
            </span>
            {isOwn && <span className={styles.you}>You</span>}
          </span>
          {user.display_name !== null && (
            <span className={styles.narrow}>
              <span className={table.second}>{user.display_name}</span>
            </span>
          )}
        </td>
        <td className={cx(styles.medium, 'soft')}>{user.display_name ?? <span className="faint">–</span>}</td>
        <td>
          {isOwn ? (
            <span className="soft" data-hint={onlyOthers('role')}>
              {sentence(user.role)}
            </span>
          ) : (
            <Choice
              label={`Role of ${email}`}
              value={role.isPending ? role.variables : user.role}
              options={roleNames}
              onChange={(chosen) => change(() => role.mutate(chosen as Role))}
            />
          )}
        </td>
        <td>
          <Switch
            size="xs"
            aria-label={`${email} is active`}
            checked={active.isPending ? active.variables : user.is_active}
            disabled={isOwn}
            onChange={({ currentTarget }) => change(() => active.mutate(currentTarget.checked))}
            {...(isOwn && { wrapperProps: { 'data-hint': onlyOthers('activity') } })}
          />
        </td>
        <td className="num soft">
          <Age iso={user.created_at} />
        </td>
        <td>
          <div className={styles.actions}>
            <ActionIcon
              data-row
              aria-label={`Set the password of ${email}`}
              data-hint="Set password"
              onClick={onPassword}
            >
              <IconLockPassword size={18} stroke={1.75} />
            </ActionIcon>
            <ActionIcon
              aria-label={`Delete ${email}`}
              data-hint={isOwn ? onlyOthers('account') : 'Delete'}
              onClick={isOwn ? undefined : onDelete}
              {...(isOwn && { className: styles.off ?? '', 'data-disabled': true, 'aria-disabled': true })}
            >
              <IconTrash size={18} stroke={1.75} />
            </ActionIcon>
          </div>
        </td>
      </tr>
      {error && (
        <tr className={styles.refusal}>
          <td colSpan={5}>
            <Failure error={error} />
          </td>
          {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- only fills the row where there is a column more */}
          <td className={styles.medium} />
        </tr>
      )}
    </>
  );
}

function onlyOthers(what: string): string {
  return `Another administrator has to change your own ${what}`;
}
