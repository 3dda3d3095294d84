import { reaches } from '@svc/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  changeSearch,
  deleteSearch,
  everySavedSearch,
  keepSearch,
  savedSearchesQuery,
} from '../../api/saved-searches.ts';
import { useMe } from '../../api/session.ts';
import type { KeptSearch, SearchDeeds } from '../../ui/saved-searches/saved-searches-panel.tsx';
import type { JobsView } from './jobs-view.ts';
import { deleteView, forgetViews, savedView, savedViews, saveView, viewName, type SavedView } from './saved-views.ts';

type KeptView = Omit<KeptSearch, 'detail'> & SavedView;

/** The saved views, and what changes them. */
export interface SavedViews {
  readonly views: readonly KeptView[];
  /** Whether the account keeps them, for every browser; else this browser does. */
  readonly isOfAccount: boolean;
  readonly deeds: SearchDeeds<KeptView & KeptSearch>;
}

/** The views that a member's account keeps, or this browser for others; those of the browser move over once. */
export function useSavedViews(shown: JobsView): SavedViews {
  const me = useMe();
  const isMember = me !== undefined && me !== null && reaches(me.role, 'member');
  const { data } = useQuery({ ...savedSearchesQuery('jobs'), enabled: isMember });
  const [local, setLocal] = useState(savedViews);
  const { mutate: moveOver } = useMutation({ mutationFn: moveViews });
  const isKnown = data !== undefined;
  useEffect(() => {
    if (isMember && isKnown) moveOver();
  }, [isMember, isKnown, moveOver]);
  if (isMember) {
    return {
      views: (data ?? []).map(({ id, name, query, is_shared: isShared, is_own: isOwn, owner }) => ({
        ...savedView(name, query),
        key: id,
        owner: isOwn ? null : owner,
        isShared,
        canChange: isOwn || me.role === 'admin',
      })),
      isOfAccount: true,
      deeds: {
        save: (name) => keep(savedView(viewName(name), { ...shown })),
        remove: ({ key }) => deleteSearch(Number(key)),
        share: ({ key }, isShared) => changeSearch({ id: Number(key), is_shared: isShared }),
        rename: ({ key }, name) => changeSearch({ id: Number(key), name: viewName(name) }),
      },
    };
  }
  const changed = (problem: string | null): Promise<void> => {
    if (problem !== null) return Promise.reject(new Error(problem));
    setLocal(savedViews());
    return Promise.resolve();
  };
  return {
    views: local.map((view) => ({ ...view, key: view.name, owner: null, isShared: false, canChange: true })),
    isOfAccount: false,
    deeds: {
      save: (name) => changed(saveView(name, shown)),
      remove: ({ name }) => changed(deleteView(name)),
    },
  };
}

function keep({ name, view }: SavedView): Promise<void> {
  return keepSearch({ name, query: { ...view } });
}

/** Gives the views of this browser to the account; where it has one of a name, that stays. */
async function moveViews(): Promise<void> {
  const views = savedViews();
  if (views.length === 0) return;
  const searches = await everySavedSearch('jobs');
  const known = new Set(searches.flatMap(({ name, is_own: isOwn }) => (isOwn ? name.toLowerCase() : [])));
  for (const view of views) if (!known.has(view.name.toLowerCase())) await keep(view);
  forgetViews();
}
