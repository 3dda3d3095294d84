import { Button } from '@mantine/core';
import { IconPlus, IconSearchOff, IconTags } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { vocabularyQuery } from '../../api/tags.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { count, counted } from '../../ui/format.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PartPager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import { CreateTag, DeleteTag, MergeTag, RenameTag } from './tag-dialogs.tsx';
import { TagsTable, type TagQuestion } from './tags-table.tsx';
import styles from './tags-page.module.css';
import { tagsView, type TagsView } from './tags-view.ts';

const route = getRouteApi(paths.tags);
const per = 100;

/** The one vocabulary of jobs and entities, to keep in order. */
export function TagsPage(): ReactNode {
  const { q = '', sort = 'name', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery(vocabularyQuery({ q, sort, page }));
  const [asked, setAsked] = useState<TagQuestion | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const change = (changed: { readonly [K in keyof TagsView]?: TagsView[K] | undefined }) =>
    void navigate({
      search: (now) => tagsView({ ...now, page: undefined, ...changed }),
      replace: 'q' in changed,
      resetScroll: false,
    });
  const close = () => setAsked(null);
  const ask = (question: TagQuestion) => {
    setSaid(null);
    setAsked(question);
  };
  const dialog = {
    onClose: close,
    onDone: (text: string) => {
      close();
      setSaid(text);
    },
  };
  const create = (
    <Button
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
      onClick={() => ask({ what: 'create' })}
    >
      New tag
    </Button>
  );
  const { data } = list;
  return (
    <>
      <title>Tags · svc</title>
      <PageHead title="Tags" total={data?.total}>
        <GuideLink chapter="entities">Tags in the guide</GuideLink>
        {create}
      </PageHead>
      <div className={styles.searching}>
        <SearchField
          label="Search tags"
          placeholder="Part of a name"
          value={q}
          isMain
          onChange={(text) => change({ q: text })}
        />
        {data && <span className="faint">{counted(data.tagged_entities, 'entity', 'entities')} tagged</span>}
      </div>
      <div className={cx(said !== null && styles.outcome)} role="status">
        {said !== null && <Notice tone="good">{said}</Notice>}
      </div>
      {data === undefined ? (
        list.isError ? (
          <ErrorState what="The tags cannot be listed" error={list.error} retry={() => void list.refetch()} />
        ) : (
          <div role="status" aria-busy="true" aria-label="Tags are loading">
            <Skeleton height={320} />
          </div>
        )
      ) : data.total === 0 ? (
        q === '' ? (
          <EmptyState icon={IconTags} title="No tags yet" action={create}>
            Jobs and entities carry the same tags. A slash parts a namespace from the rest, as in{' '}
            <code>actor/apt28</code>.
          </EmptyState>
        ) : (
          <EmptyState icon={IconSearchOff} title={`No tag has “${q}” in its name`}>
            Names are looked for anywhere, in whatever case.
          </EmptyState>
        )
      ) : (
        <>
          <div className={cx('card', list.isPlaceholderData && styles.leaving)}>
            <TagsTable
              tags={data.tags}
              sort={sort}
              onSort={(by) => change({ sort: by === 'name' ? undefined : by })}
              onAsk={ask}
              onSaid={setSaid}
            />
          </div>
          <p className="sr-only" role="status">
            {q !== '' && `${count(data.total)} found`}
          </p>
          {data.total_pages > 1 && (
            <PartPager part={data} per={per} rows={data.tags.length} onPage={(to) => change({ page: to })} />
          )}
        </>
      )}
      {asked?.what === 'create' && <CreateTag {...dialog} />}
      {asked?.what === 'rename' && <RenameTag tag={asked.tag} {...dialog} />}
      {asked?.what === 'merge' && <MergeTag tag={asked.tag} {...dialog} />}
      {asked?.what === 'delete' && <DeleteTag tag={asked.tag} {...dialog} />}
    </>
  );
}
