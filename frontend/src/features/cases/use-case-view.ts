import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { caseView, type CaseView } from './case-view.ts';

/** A change of the address: undefined takes something away. */
export type CaseViewChange = { readonly [K in keyof CaseView]?: CaseView[K] | undefined };

/** What the address of a case selects and filters, and how to change that. */
export function useCaseView(): readonly [view: CaseView, change: (changes: CaseViewChange) => void] {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: CaseViewChange) =>
    void navigate({
      to: '.',
      search: (before) => caseView({ ...before, ...changes }),
      replace: true,
      resetScroll: false,
    });
  const view = useMemo(() => caseView(search), [search]);
  return [view, change];
}
