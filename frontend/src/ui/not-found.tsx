import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { EmptyState } from './states.tsx';

/** An address that leads nowhere. */
export function NotFound() {
  return (
    <>
      <title>Not found · svc</title>
      <EmptyState
        whole
        icon={IconMapOff}
        title="There is nothing at this address"
        action={<Button renderRoot={(props) => <Link to={paths.jobs} {...props} />}>See all jobs</Button>}
      >
        <p>
          <code>{window.location.pathname}</code>
        </p>
        <p>A job that is private to someone else looks the same as one that never was.</p>
      </EmptyState>
    </>
  );
}
