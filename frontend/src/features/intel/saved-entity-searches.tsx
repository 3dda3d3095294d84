import { savedSearchLimits } from '@svc/domain';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  changeSearch,
  deleteSearch,
  keepSearch,
  lookAtSearch,
  savedSearchesQuery,
  searchNewsQuery,
} from '../../api/saved-searches.ts';
import { useMe } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { count } from '../../ui/format.ts';
import { lazy } from '../../ui/lazy.ts';
import { SavedSearchesMenu } from '../../ui/saved-searches/saved-searches-menu.tsx';
import { entitiesView, type EntitiesView } from './entities-view.ts';
import styles from './saved-entity-searches.module.css';

const SavedSearchesPanel = lazy(async () => ({
  default: (await import('../../ui/saved-searches/saved-searches-panel.tsx')).SavedSearchesPanel<Kept>,
}));

interface Kept {
  readonly key: number;
  readonly name: string;
  readonly detail: string;
  readonly owner: string | null;
  readonly isShared: boolean;
  readonly canChange: boolean;
  readonly view: EntitiesView;
  readonly news: News | null;
}

interface News {
  readonly words: string;
  readonly since: string;
}

/** Searches for entities that the account keeps and that others share, with what came since one last looked. */
export function SavedEntitySearches({ view }: { view: EntitiesView }) {
  const me = useMe();
  const { data: searches = [] } = useQuery(savedSearchesQuery('entities'));
  // Nothing is new in what one has never looked at.
  const news = useQueries({
    queries: searches.map(({ id, looked_at: looked }) => ({ ...searchNewsQuery(id), enabled: looked !== null })),
  });
  const kept = searches.map(({ id, name, query, is_shared: isShared, is_own: isOwn, owner }, place): Kept => {
    const saved = keptView(query);
    return {
      key: id,
      name,
      detail: summary(saved),
      owner: isOwn ? null : owner,
      isShared,
      canChange: isOwn || me?.role === 'admin',
      view: saved,
      news: newsOf(news[place]?.data),
    };
  });
  const withNews = kept.filter((search) => search.news !== null).length;
  return (
    <SavedSearchesMenu label="Saved searches" news={withNews > 0 ? `${count(withNews)} with something new` : undefined}>
      {(close) => {
        const look = (id: number) => {
          close();
          void lookAtSearch(id).catch(() => undefined);
        };
        return (
          <SavedSearchesPanel
            thing="search"
            searches={kept}
            deeds={{
              save: (name) => keepSearch({ name, scope: 'entities', query: { ...keptView({ ...view }) } }),
              remove: ({ key }) => deleteSearch(key),
              share: ({ key }, isShared) => changeSearch({ id: key, is_shared: isShared }),
              rename: ({ key }, name) => changeSearch({ id: key, name }),
            }}
            where="Kept with your account."
            longest={savedSearchLimits.name}
            renderLink={(search, parts) => (
              <Link to={paths.entities} search={search.view} onClick={() => look(search.key)} {...parts} />
            )}
            renderAside={({ key, name, view: saved, news: found }) =>
              found && (
                <Link
                  to={paths.entities}
                  search={{ ...saved, since: found.since }}
                  className={styles.news}
                  aria-label={`${name}: ${found.words} since you last looked`}
                  data-hint="Since you last looked"
                  onClick={() => look(key)}
                >
                  {found.words}
                </Link>
              )
            }
          />
        );
      }}
    </SavedSearchesMenu>
  );
}

/** What the address holds but the page, and but the time that is each reader's own. */
function keptView(search: Record<string, unknown>): EntitiesView {
  const { page: _page, cursor: _cursor, since: _since, ...view } = entitiesView(search);
  return view;
}

function newsOf(
  found: { since: string | null; first: number; again: number; is_floor: boolean } | undefined,
): News | null {
  if (!found || found.since === null || found.first + found.again === 0) return null;
  const more = found.is_floor ? '+' : '';
  const parts = [
    ...(found.first > 0 ? [`${count(found.first)}${more} new`] : []),
    ...(found.again > 0 ? [`${count(found.again)}${more} again`] : []),
  ];
  return { words: parts.join(', '), since: found.since };
}

/** What a search asks for, in a line. */
function summary({ q, types = [], tags = [], job }: EntitiesView): string {
  const parts = [
    q,
    types.length > 0 && `type:${types.join(',')}`,
    ...tags.map((tag) => `#${tag}`),
    job && `job ${job}`,
  ];
  return parts.filter(Boolean).join(' ') || 'All entities';
}
