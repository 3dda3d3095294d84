import { Button } from '@mantine/core';
import type { Me, User } from '@svc/contracts';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { usersQuery } from '../../api/admin.ts';
import { cx } from '../../ui/class-names.ts';
import { focusStep } from '../../ui/focus-step.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { useKeys } from '../../ui/use-keys.ts';
import styles from './admin.module.css';
import { CreateUser, DeleteUser, SetPassword } from './user-dialogs.tsx';
import { UserRow } from './user-row.tsx';

type Asked = { readonly what: 'create' } | { readonly what: 'password' | 'delete'; readonly user: User };

/** All accounts of the service, for administrators. */
export function UsersPage({ me }: { me: Me }) {
  const users = useQuery(usersQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <title>Users · svc</title>
      <PageHead title="Users" total={users.data?.length}>
        <Button
          leftSection={<IconUserPlus size={16} stroke={1.75} aria-hidden="true" />}
          onClick={() => setAsked({ what: 'create' })}
        >
          Create user
        </Button>
      </PageHead>
      {users.data === undefined && users.isError ? (
        <ErrorState what="The users cannot be listed" error={users.error} retry={() => void users.refetch()} />
      ) : (
        <Table users={users.data} me={me} onAsk={setAsked} />
      )}
      {asked?.what === 'create' && <CreateUser onClose={close} />}
      {asked?.what === 'password' && <SetPassword user={asked.user} isOwn={asked.user.id === me.id} onClose={close} />}
      {asked?.what === 'delete' && <DeleteUser user={asked.user} onClose={close} />}
    </>
  );
}

function Table({ users, me, onAsk }: { users: User[] | undefined; me: Me; onAsk: (asked: Asked) => void }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useKeys({
    j: () => focusStep(body.current, '[data-row]', 1),
    k: () => focusStep(body.current, '[data-row]', -1),
  });
  return (
    <>
      <div className={cx('card', table.wrap)} aria-busy={users === undefined}>
        <table className={cx(table.table, table.roomy)}>
          <thead>
            <tr>
              <th scope="col">Address</th>
              <th scope="col" className={cx(styles.name, styles.medium)}>
                Name
              </th>
              <th scope="col" className={styles.role}>
                Role
              </th>
              <th scope="col" className={styles.active}>
                Active
              </th>
              <th scope="col" className={cx(styles.day, 'num')}>
                Created
              </th>
              <th scope="col" className={styles.buttons}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody ref={body}>
            {users?.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                isOwn={user.id === me.id}
                onPassword={() => onAsk({ what: 'password', user })}
                onDelete={() => onAsk({ what: 'delete', user })}
              />
            )) ?? <Placeholders />}
          </tbody>
        </table>
      </div>
      <p className={styles.note}>
        Your own role, activity and account are for another administrator to change, so that nobody locks themselves
        out. Inactive accounts cannot sign in, and their API tokens rest.{' '}
        <GuideLink chapter="accounts">Roles in the guide</GuideLink>
      </p>
    </>
  );
}

function Placeholders() {
  return Array.from({ length: 3 }, (_, row) => (
    <tr key={row} className={table.row}>
      {[200, 120, 100, 32, 40, 60].map((width, cell) => (
        // oxlint-disable-next-line react/no-array-index-key -- placeholders have nothing else
        <td key={cell} className={cell === 1 ? styles.medium : undefined}>
          <Skeleton width={width} />
        </td>
      ))}
    </tr>
  ));
}
