import { Button } from '@mantine/core';
import type { Tag } from '@svc/contracts';
import { entityTypes, tagLimits, type EntityType } from '@svc/domain';
import { IconAffiliate, IconSearchOff, IconTags } from '@tabler/icons-react';
import { hashKey, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ComponentType, type ReactNode } from 'react';
import { entitiesQuery, intelQuery } from '../../api/intel.ts';
import { paths, type FeedQuestion } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { count, moment } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { MakeRule } from '../../ui/make-rule.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { SearchBox } from '../../ui/search/search-box.tsx';
import { EmptyState, ErrorState, Notice } from '../../ui/states.tsx';
import { TagDot } from '../../ui/tag.tsx';
import styles from './entities-page.module.css';
import { EntitiesResult } from './entities-result.tsx';
import { EntitiesTableSkeleton } from './entities-table.tsx';
import { entitiesView, sortedBy, type EntitiesView } from './entities-view.ts';
import { entityLanguage } from './entity-language.ts';
import type { TagPickerPart } from './entity-selection-bar.tsx';
import { entityTypeLooks } from './entity-types.tsx';
import { SavedEntitySearches } from './saved-entity-searches.tsx';

const route = getRouteApi(paths.entities);

/** Hands what the list shows to other programs. */
type ExportPart = ComponentType<{ asked: FeedQuestion }>;

/** All that the logs of all jobs name, found by one search. */
export function EntitiesPage({ TagPicker, Export }: { TagPicker: TagPickerPart; Export: ExportPart }): ReactNode {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const { q = '', types = [], tags = [], job, since, sort, apart = false, page = 1, cursor } = view;
  const narrowed = { q, types, tags, job, since, sort, isFolded: !apart };
  const list = useQuery(entitiesQuery({ ...narrowed, page, cursor }));
  const { data: intel } = useQuery(intelQuery(job));
  const change = (changed: { readonly [K in keyof EntitiesView]?: EntitiesView[K] | undefined }) =>
    void navigate({ search: (now) => entitiesView({ ...now, page: undefined, cursor: undefined, ...changed }) });
  const isNarrowed = q !== '' || types.length > 0 || tags.length > 0 || job !== undefined || since !== undefined;
  const sorting = { sort, onSort: (by: Parameters<typeof sortedBy>[1]) => change({ sort: sortedBy(sort, by) }) };
  const notices = list.data?.notices ?? [];
  const labels = intel?.labels ?? [];
  const otherTags = tags.filter((tag) => !labels.some((label) => label.tag === tag));
  return (
    <>
      <title>Entities · svc</title>
      <PageHead title="Entities" total={list.data?.total}>
        {isNarrowed && <MakeRule scope="entity" q={q} tags={tags} types={types} />}
        <Button
          variant="default"
          leftSection={<IconTags size={14} stroke={1.75} />}
          renderRoot={(root) => <Link to={paths.tags} {...root} />}
        >
          Tags
        </Button>
        {job === undefined && <Export asked={narrowed} />}
      </PageHead>
      <div className={styles.searching}>
        <SearchBox
          language={entityLanguage}
          value={q}
          refused={list.data?.query_errors ?? []}
          onSearch={(wanted) => change({ q: wanted })}
        />
        <SavedEntitySearches view={view} />
      </div>
      <div className={styles.narrowing}>
        <TypeChips chosen={types} counts={intel?.type_counts} onChange={(next) => change({ types: next })} />
        {job !== undefined && (
          <FilterChip text={`job ${intel?.job_context?.label ?? job}`} onRemove={() => change({ job: undefined })} />
        )}
        {since !== undefined && (
          <FilterChip
            text={`seen since ${moment(since)?.utc ?? since}`}
            onRemove={() => change({ since: undefined })}
          />
        )}
        {(apart || list.data?.items.some((entity) => entity.alias_count > 0)) && (
          <button
            type="button"
            className={styles.chip}
            aria-pressed={!apart}
            data-hint="Of what members say is the same, the first that is found stands for all"
            onClick={() => change({ apart: apart ? undefined : true })}
          >
            Aliases in one row
          </button>
        )}
        {otherTags.map((tag) => (
          <FilterChip
            key={tag}
            text={`tag ${tag}`}
            onRemove={() => change({ tags: tags.filter((one) => one !== tag) })}
          />
        ))}
      </div>
      <LabelChips labels={labels} chosen={tags} onChange={(next) => change({ tags: next })} />
      {notices.length > 0 && (
        <Notice tone="warn">
          <ul className={styles.notices}>
            {notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        </Notice>
      )}
      <p className="sr-only" role="status">
        {list.data && isNarrowed && `${count(list.data.total)} ${list.data.total === 1 ? 'entity' : 'entities'} found`}
      </p>
      {list.data === undefined ? (
        list.isError ? (
          <ErrorState what="The entities cannot be listed" error={list.error} retry={() => void list.refetch()} />
        ) : (
          <EntitiesTableSkeleton {...sorting} />
        )
      ) : (
        <EntitiesResult
          key={hashKey([{ ...narrowed, sort: undefined }])}
          list={list}
          narrowed={narrowed}
          {...sorting}
          onPage={(to, at) => change({ page: to, cursor: at })}
          TagPicker={TagPicker}
          empty={
            isNarrowed ? (
              <NothingFound
                onClear={() =>
                  change({ q: undefined, types: undefined, tags: undefined, job: undefined, since: undefined })
                }
              />
            ) : (
              <NoEntities />
            )
          }
        />
      )}
    </>
  );
}

/** Types to choose from, with how many there are of each in all. */
function TypeChips(props: {
  chosen: readonly EntityType[];
  counts: Readonly<Partial<Record<EntityType, number>>> | undefined;
  onChange: (types: readonly EntityType[]) => void;
}) {
  const { chosen, counts, onChange } = props;
  return (
    <div className={styles.types} role="group" aria-label="Types">
      {entityTypes.map((type) => {
        const { many, color, icon: Sign } = entityTypeLooks[type];
        const isChosen = chosen.includes(type);
        return (
          <button
            key={type}
            type="button"
            className={styles.chip}
            aria-pressed={isChosen}
            onClick={() => onChange(isChosen ? chosen.filter((one) => one !== type) : [...chosen, type])}
          >
            <Sign size={14} stroke={1.75} aria-hidden="true" style={{ color: `var(--tag-${color})` }} />
            {many}
            {counts !== undefined && <span className="faint">{count(counts[type] ?? 0)}</span>}
          </button>
        );
      })}
    </div>
  );
}

/** So many labels are in sight at first: one line of them beside the rail. */
const fewLabels = 10;

/** What shared rules call entities, to choose from: of the tags that a search takes any of. */
function LabelChips(props: {
  labels: readonly (Tag & { readonly name: string })[];
  chosen: readonly string[];
  onChange: (tags: readonly string[]) => void;
}) {
  const { labels, chosen, onChange } = props;
  const [areAllShown, setAllShown] = useState(false);
  const byTag = [...new Map(labels.map((label) => [label.tag, label])).values()];
  const shown = byTag.filter(({ tag }, at) => areAllShown || at < fewLabels || chosen.includes(tag));
  if (byTag.length === 0) return null;
  return (
    <div className={cx(styles.narrowing, styles.types)} role="group" aria-label="Labels">
      {shown.map(({ tag, name, color }) => {
        const isChosen = chosen.includes(tag);
        return (
          <button
            key={tag}
            type="button"
            className={styles.chip}
            aria-pressed={isChosen}
            disabled={!isChosen && chosen.length >= tagLimits.count}
            data-hint={name}
            onClick={() => onChange(isChosen ? chosen.filter((one) => one !== tag) : [...chosen, tag])}
          >
            <TagDot color={color} />
            {tag}
          </button>
        );
      })}
      {byTag.length > fewLabels && (
        <LinkButton aria-expanded={areAllShown} onClick={() => setAllShown(!areAllShown)}>
          {areAllShown ? 'Fewer labels' : `All ${byTag.length} labels`}
        </LinkButton>
      )}
    </div>
  );
}

function NoEntities() {
  return (
    <EmptyState
      icon={IconAffiliate}
      title="No entities yet"
      action={<Button renderRoot={(props) => <Link to={paths.submit} {...props} />}>Submit a log</Button>}
    >
      Accounts, computers, addresses, hashes and more that analysed logs name are gathered here, across all jobs.
    </EmptyState>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={IconSearchOff}
      title="No entity is met by this search"
      action={
        <Button variant="default" onClick={onClear}>
          Clear the search
        </Button>
      }
    >
      <p>
        Text is looked for as it stands, anywhere in a value. Terms such as <code>type:ip</code> must all hold; with{' '}
        <code>OR</code> between them one is enough.
      </p>
    </EmptyState>
  );
}
