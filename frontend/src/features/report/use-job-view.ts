import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { changed, jobView, type JobView, type ViewChange } from './job-view.ts';

/** What the address selects and filters, and how to change that; on whichever page the report stands. */
export function useJobView(): readonly [view: JobView, change: (changes: ViewChange) => void] {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changes: ViewChange) =>
    // What else the page keeps in its address stays.
    void navigate({
      to: '.',
      search: (before) => changed(before as JobView, changes),
      replace: true,
      resetScroll: false,
    });
  // The same while the address is, so that what is made from its parts is made once.
  const view = useMemo(() => jobView(search), [search]);
  return [view, change];
}
