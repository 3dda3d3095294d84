import { Button } from '@mantine/core';
import type { Me } from '@svc/contracts';
import { reaches, type Role } from '@svc/domain';
import { IconLock, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { meQuery } from '../api/session.ts';
import { paths } from '../paths.ts';
import { EmptyState, ErrorState } from '../ui/states.tsx';

/** Lets accounts of a role or above through to a page; others are told so, and a visitor may sign in. */
export function Gate({ least, children }: { least: Role; children: (me: Me) => ReactNode }) {
  const { data: me, error, refetch } = useQuery(meQuery);
  if (me === undefined) {
    return error && <ErrorState whole what="The service does not answer" error={error} retry={() => void refetch()} />;
  }
  if (me === null) return <Visitor least={least} />;
  return reaches(me.role, least) ? children(me) : <Lower me={me} least={least} />;
}

const whom: Readonly<Record<Role, string>> = {
  user: 'people with an account',
  member: 'members',
  admin: 'administrators',
};

function Visitor({ least }: { least: Role }) {
  const next = useLocation({ select: ({ href }) => href });
  return (
    <>
      <title>Sign in to continue · svc</title>
      <EmptyState
        whole
        icon={IconLock}
        title="Sign in to continue"
        action={<Button renderRoot={(props) => <Link to={paths.login} search={{ next }} {...props} />}>Sign in</Button>}
      >
        This page is for {whom[least]}. It opens by itself once you are signed in.
      </EmptyState>
    </>
  );
}

function Lower({ me, least }: { me: Me; least: Role }) {
  return (
    <>
      <title>{`For ${whom[least]} · svc`}</title>
      <EmptyState
        whole
        icon={IconShieldLock}
        title={`This page is for ${whom[least]}`}
        action={<Button renderRoot={(props) => <Link to={paths.submit} {...props} />}>Back to the start</Button>}
      >
        You are signed in as {me.email}, whose role is {me.role}. An administrator can change that.
      </EmptyState>
    </>
  );
}
