import { RequestError } from '@svc/contracts';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useCallback } from 'react';
import { askAgainForParts, PartMissing } from '../ui/lazy.ts';
import { ErrorState } from '../ui/states.tsx';
import { PartMissingState } from './part-missing.tsx';

/** What a page becomes when it throws: the reason, its reference, and a way on. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = useCallback(() => {
    askAgainForParts();
    reset();
    void router.invalidate();
  }, [reset, router]);
  if (error instanceof PartMissing) return <PartMissingState retry={retry} />;
  const what = error instanceof RequestError ? 'The service refused this page' : 'This page failed to show';
  return <ErrorState whole what={what} error={error} retry={retry} />;
}
