import { RequestError } from '@svc/contracts';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ErrorState } from '../ui/states.tsx';

/** What a page becomes when it throws: the reason, its reference, and a way on. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const what = error instanceof RequestError ? 'The service refused this page' : 'This page failed to show';
  return <ErrorState whole what={what} error={error} retry={retry} />;
}
