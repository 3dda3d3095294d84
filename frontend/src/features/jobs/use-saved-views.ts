import { call, operations } from '@svc/contracts';
import { reaches } from '@svc/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { invalidate } from '../../api/query-client.ts';
import { operationQuery, queryKey } from '../../api/query-key.ts';
import { useMe } from '../../api/session.ts';
import { reasonOf } from '../../ui/states.tsx';
import type { JobsView } from './jobs-view.ts';
import { deleteView, forgetViews, savedView, savedViews, saveView, viewName, type SavedView } from './saved-views.ts';

/** The saved views, and what changes them: that says what is in the way, or null when it is done. */
export interface SavedViews {
  readonly views: readonly SavedView[];
  /** Whether the account keeps them, for every browser; else this browser does. */
  readonly isOfAccount: boolean;
  readonly save: (name: string, view: JobsView) => Promise<string | null>;
  readonly remove: (name: string) => Promise<string | null>;
}

/** The views that a member's account keeps, or this browser for others; those of the browser move over once. */
export function useSavedViews(): SavedViews {
  const me = useMe();
  const isMember = me !== undefined && me !== null && reaches(me.role, 'member');
  const { data } = useQuery({ ...operationQuery(operations.listSavedSearches, {}), enabled: isMember });
  const [local, setLocal] = useState(savedViews);
  const { mutate: moveOver } = useMutation({ mutationFn: moveViews });
  const isKnown = data !== undefined;
  useEffect(() => {
    if (isMember && isKnown) moveOver();
  }, [isMember, isKnown, moveOver]);
  if (isMember) {
    const searches = data?.searches ?? [];
    return {
      views: searches.map(({ name, query }) => savedView(name, query)),
      isOfAccount: true,
      save: (name, view) => said(keep(savedView(viewName(name), { ...view }))),
      remove: (name) => {
        const id = searches.find((search) => search.name === name)?.id;
        return id === undefined ? Promise.resolve(null) : said(call(operations.deleteSavedSearch, { id }));
      },
    };
  }
  const changed = (problem: string | null): Promise<string | null> => {
    if (problem === null) setLocal(savedViews());
    return Promise.resolve(problem);
  };
  return {
    views: local,
    isOfAccount: false,
    save: (name, view) => changed(saveView(name, view)),
    remove: (name) => changed(deleteView(name)),
  };
}

async function keep({ name, view }: SavedView): Promise<void> {
  await call(operations.saveSearch, { name, query: { ...view } });
}

/** Gives the views of this browser to the account; where it has one of a name, that stays. */
async function moveViews(): Promise<void> {
  const views = savedViews();
  if (views.length === 0) return;
  const { searches } = await call(operations.listSavedSearches, {});
  const known = new Set(searches.map(({ name }) => name.toLowerCase()));
  for (const view of views) if (!known.has(view.name.toLowerCase())) await keep(view);
  forgetViews();
  await invalidate(queryKey(operations.listSavedSearches));
}

async function said(change: Promise<void>): Promise<string | null> {
  try {
    await change;
    await invalidate(queryKey(operations.listSavedSearches));
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
