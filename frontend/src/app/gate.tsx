import { Button } from '@mantine/core';
import type { Me } from '@svc/contracts';
import { IconLock, IconShieldLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { meQuery } from '../api/session.ts';
import { paths } from '../paths.ts';
import { EmptyState, ErrorState } from '../ui/states.tsx';

/** Lets accounts through to a page, or administrators alone; others are told so, and a visitor may sign in. */
export function Gate({ admin = false, children }: { admin?: boolean; children: (me: Me) => ReactNode }) {
  const { data: me, error, refetch } = useQuery(meQuery);
  if (me === undefined) {
    return error && <ErrorState whole what="The service does not answer" error={error} retry={() => void refetch()} />;
  }
  if (me === null) return <Visitor admin={admin} />;
  return admin && me.role !== 'admin' ? <Lower me={me} /> : children(me);
}

function Visitor({ admin }: { admin: boolean }) {
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
        This page is for {admin ? 'administrators' : 'people with an account'}. It opens by itself once you are signed
        in.
      </EmptyState>
    </>
  );
}

function Lower({ me }: { me: Me }) {
  return (
    <>
      <title>For administrators · svc</title>
      <EmptyState
        whole
        icon={IconShieldLock}
        title="This page is for administrators"
        action={<Button renderRoot={(props) => <Link to={paths.submit} {...props} />}>Back to the start</Button>}
      >
        You are signed in as {me.email}, whose role is {me.role}. An administrator can change that.
      </EmptyState>
    </>
  );
}
