import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { ActionIcon, Menu, useComputedColorScheme } from '@mantine/core';
import { IconDownload, IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import type { EntityGraph } from '@svc/contracts';
import { useQueries, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { entityGraphQuery, firstOfGraph, graphPathQuery, type FoundPath, type GraphAsked } from '../../../api/intel.ts';
import type { OperationKey } from '../../../api/query-key.ts';
import { saveBlob } from '../../../api/save-blob.ts';
import { graphDownload, paths } from '../../../paths.ts';
import { FilterChip } from '../../../ui/filter-chip.tsx';
import { count, counted } from '../../../ui/format.ts';
import { GuideLink } from '../../../ui/guide-link.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { ErrorState, Notice, Skeleton } from '../../../ui/states.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import styles from './entity-graph.module.css';
import { GraphLegend } from './graph-legend.tsx';
import { graphTheme, lenses, type Lens } from './graph-looks.ts';
import { edgeWords, graphModel, matchesOf, needsService, pathModel, shownOf, type GraphHidden } from './graph-model.ts';
import { GraphNodeList } from './graph-node-list.tsx';
import { GraphPicture, type GraphPictureHandle } from './graph-picture.tsx';
import { GraphSelection } from './graph-selection.tsx';
import { useArranged } from './use-arranged.ts';

/** What is asked of a graph, whatever it is of. */
export type GraphViewAsked = Omit<GraphAsked, 'hops' | 'only'>;

interface GraphViewProps {
  /** What the graph is of. */
  readonly of: 'entities' | 'cases';
  readonly id: number;
  readonly job: number | undefined;
  readonly query: (asked: GraphViewAsked) => UseQueryOptions<EntityGraph, Error, EntityGraph, OperationKey>;
  /** What a request for its download says. */
  readonly request: (asked: GraphViewAsked) => Readonly<Record<string, string | number | boolean>>;
  /** Whether what is the same can be one node. */
  readonly folds: boolean;
  /** What stands behind the filter, and below the legend. */
  readonly choice?: ReactNode;
  readonly window?: ReactNode;
  /** Nodes that stand out; null for none. */
  readonly active?: ReadonlySet<number> | null;
  /** What stands in place of a picture of nothing. */
  readonly empty: ReactNode;
  readonly hiddenFirst?: GraphHidden;
}

/** A node that was expanded, and by what. */
interface Step {
  readonly id: number;
  readonly only: string;
}

const nothingHidden: GraphHidden = { types: [], edges: [] };

/** A graph as a picture, with the same as a list beside it. */
export function GraphView(props: GraphViewProps) {
  const { of, id, job, query: queryOf, request, folds, choice, window, active = null, empty } = props;
  const navigate = useNavigate();
  const picture = useRef<GraphPictureHandle>(null);
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const theme = useMemo(() => graphTheme(scheme), [scheme]);
  const [lens, setLens] = useState<Lens>('type');
  const [query, setQuery] = useState<string>(firstOfGraph.q);
  const [withJobs, setWithJobs] = useState<boolean>(firstOfGraph.withJobs);
  const [withAllowlisted, setWithAllowlisted] = useState<boolean>(firstOfGraph.withAllowlisted);
  const [isFolded, setIsFolded] = useState<boolean>(folds && firstOfGraph.isFolded);
  const [hidden, setHidden] = useState(props.hiddenFirst ?? nothingHidden);
  const [selected, setSelected] = useState<number | null>(null);
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const [ends, setEnds] = useState<readonly number[]>([]);

  const asked = {
    job,
    withJobs,
    withAllowlisted,
    isFolded,
    q: needsService(query) ? query : '',
  };
  const graph = useQuery(queryOf(asked));
  const grown = useQueries({
    queries: steps.map(({ id: expanded, only }) =>
      entityGraphQuery(expanded, { ...asked, hops: 1, only, withJobs: withJobs || only === 'job' }),
    ),
    combine: (answers) => answers.flatMap(({ data }) => (data ? [data] : [])),
  });
  const [from, to] = ends;
  const path = useQuery({
    ...graphPathQuery(from ?? 0, to ?? 0, job),
    enabled: from !== undefined && to !== undefined,
  });
  const found = path.data;

  const model = useMemo(() => {
    return graphModel([...(graph.data ? [graph.data] : []), ...grown], found ? [pathModel(found)] : []);
  }, [graph.data, grown, found]);
  // Where it is folded into another that it is the same as, that one.
  const focal = graph.data?.focal ?? (of === 'entities' ? id : null);
  const around = steps.at(-1)?.id ?? from ?? focal ?? 0;
  const arranged = useArranged(model, around, steps.length > 0 || found !== undefined);
  const shown = useMemo(() => shownOf(model, hidden, focal), [model, hidden, focal]);
  const met = useMemo(() => matchesOf(model, query), [model, query]);
  const degrees = useMemo(() => {
    const many = new Map<number, number>();
    for (const { source, target } of shown.edges)
      for (const end of [source, target]) many.set(end, (many.get(end) ?? 0) + 1);
    return many;
  }, [shown]);
  const listed = useMemo(() => {
    const rank = (node: number): number => arranged.ranks.get(node) ?? 0;
    return shown.nodes
      .filter((node) => met === null || met.size === 0 || met.has(node.id))
      .filter((node) => active === null || active.has(node.id))
      .toSorted((a, b) => Number(b.id === focal) - Number(a.id === focal) || rank(b.id) - rank(a.id) || a.id - b.id);
  }, [shown, met, active, arranged.ranks, focal]);
  const ofPath = useMemo(() => (found && found.edges.length > 0 ? pathKeys(found) : null), [found]);
  const lit = useMemo(() => {
    if (found && found.paths.length > 0) return new Set(found.paths.flat());
    if (met === null || met.size === 0) return active;
    return active === null ? met : new Set([...met].filter((node) => active.has(node)));
  }, [found, met, active]);

  if (graph.data === undefined) {
    if (graph.isError)
      return <ErrorState what="The graph cannot be read" error={graph.error} retry={() => void graph.refetch()} />;
    return (
      <div aria-busy="true" role="status" aria-label="The graph is loading">
        <Skeleton height={560} />
      </div>
    );
  }
  const { stats, notices } = graph.data;
  const node = selected === null ? undefined : model.nodes.get(selected);
  const select = (next: number | null) => setSelected(next);
  const open = (next: number) =>
    void navigate({
      to: paths.entity,
      params: { entityId: next },
      search: { view: 'graph', ...(job !== undefined && { job }) },
    });
  const expand = (only: string) => {
    if (node && !steps.some((step) => step.id === node.id && step.only === only))
      setSteps([...steps, { id: node.id, only }]);
  };
  const back = () => {
    if (ends.length > 0) setEnds([]);
    else if (selected !== null) setSelected(null);
    else if (query !== '') setQuery('');
  };
  const savePicture = async (scale: number) => {
    const image = await picture.current?.image(scale);
    if (image) saveBlob(image, `${name}.png`);
  };
  const name = `${of === 'entities' ? 'entity' : 'case'}-${id}-graph`;
  const label = (one: number): string => model.nodes.get(one)?.label ?? String(one);
  return (
    <div
      role="presentation"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        back();
      }}
    >
      <div className={styles.bar}>
        <div className={styles.search}>
          <SearchField
            label="Filter the graph"
            placeholder="Filter: part of a value, type:ip, attr:lolbin, tag:c2"
            value={query}
            onChange={setQuery}
          />
        </div>
        {choice}
        <Switcher label="Colour by" value={lens} options={lenses} onChange={setLens} />
        <GuideLink chapter="graph" />
      </div>
      <div className={styles.bar}>
        <GraphLegend model={model} hidden={hidden} theme={theme} onHide={setHidden} />
        <fieldset className={styles.legend}>
          <legend className="sr-only">What is followed</legend>
          <button
            type="button"
            className={styles.chip}
            aria-pressed={withJobs}
            data-hint="Also what is merely named in the same log, which says little"
            onClick={() => setWithJobs(!withJobs)}
          >
            same log
          </button>
          <button
            type="button"
            className={styles.chip}
            aria-pressed={withAllowlisted}
            onClick={() => setWithAllowlisted(!withAllowlisted)}
          >
            allowlisted
          </button>
          {folds && (
            <button
              type="button"
              className={styles.chip}
              aria-pressed={isFolded}
              data-hint="What members say is the same is one node, with the edges of all of it"
              onClick={() => setIsFolded(!isFolded)}
            >
              aliases as one
            </button>
          )}
        </fieldset>
      </div>
      {window}
      {notices.map((text) => (
        <Notice key={text} tone="info">
          {text}
        </Notice>
      ))}
      {query !== '' && met?.size === 0 && <Notice tone="info">Nothing here meets the filter; all is shown.</Notice>}
      {stats.truncated && (
        <Notice tone="info">
          The strongest are shown: {counted(stats.nodes, 'node')} and {counted(stats.edges, 'edge')} of{' '}
          {count(stats.total_edges)}
          {stats.total_edges_is_floor && ' or more'}.
        </Notice>
      )}
      {(steps.length > 0 || from !== undefined) && (
        <div className={styles.steps}>
          {steps.map((step, place) => (
            <FilterChip
              key={`${step.id} ${step.only}`}
              text={`${label(step.id)} expanded by ${edgeWords(step.only)}`}
              onRemove={() => setSteps(steps.filter((_, other) => other !== place))}
            />
          ))}
          {from !== undefined && (
            <FilterChip
              text={`path from ${label(from)}${to === undefined ? ': choose its end' : ` to ${label(to)}`}`}
              onRemove={() => setEnds([])}
            />
          )}
          {steps.length > 1 && <FilterChip text="all steps" onRemove={() => setSteps([])} />}
        </div>
      )}
      {found && <PathNotice found={found} label={label} />}
      {model.nodes.size <= (of === 'entities' ? 1 : 0) && grown.length === 0 ? (
        empty
      ) : (
        <div className={styles.stage}>
          <div className={`card ${styles.canvas}`} aria-busy={arranged.places.size === 0}>
            <GraphPicture
              ref={picture}
              nodes={shown.nodes}
              edges={shown.edges}
              arranged={arranged}
              theme={theme}
              lens={lens}
              focal={focal}
              selected={selected}
              lit={lit}
              path={ofPath}
              onSelect={select}
              onOpen={open}
            />
            <div className={styles.hint}>
              {counted(shown.nodes.length, 'node')}, {counted(shown.edges.length, 'edge')}
            </div>
            <div className={styles.tools}>
              <ActionIcon variant="default" aria-label="Zoom in" onClick={() => picture.current?.zoom(true)}>
                <IconPlus size={16} />
              </ActionIcon>
              <ActionIcon variant="default" aria-label="Zoom out" onClick={() => picture.current?.zoom(false)}>
                <IconMinus size={16} />
              </ActionIcon>
              <ActionIcon variant="default" aria-label="Fit the picture" onClick={() => picture.current?.fit()}>
                <IconFocusCentered size={16} />
              </ActionIcon>
              <Menu position="top-end">
                <Menu.Target>
                  <ActionIcon variant="default" aria-label="Save the graph" data-hint="Save the graph">
                    <IconDownload size={16} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item onClick={() => void savePicture(1)}>PNG</Menu.Item>
                  <Menu.Item onClick={() => void savePicture(2)}>PNG, twice as fine</Menu.Item>
                  <Menu.Item component="a" href={graphDownload(of, id, request(asked))} download>
                    GraphML, unfiltered
                  </Menu.Item>
                  <Menu.Item
                    onClick={() =>
                      saveBlob(new Blob([JSON.stringify(graph.data)], { type: 'application/json' }), `${name}.json`)
                    }
                  >
                    JSON
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            </div>
          </div>
          <div className={styles.side}>
            {node && (
              <GraphSelection
                node={node}
                model={model}
                edges={shown.edges}
                job={job}
                start={from === undefined || to !== undefined ? null : (model.nodes.get(from) ?? null)}
                onSelect={(next) => {
                  select(next);
                  picture.current?.show(next);
                }}
                onExpand={expand}
                onPathFrom={() => setEnds([node.id])}
                onPathTo={() => {
                  setEnds([from!, node.id]);
                  picture.current?.fit();
                }}
              />
            )}
            <section className={`card ${styles.panel} ${styles.grows}`} aria-label="Nodes of the graph">
              <h3 className={styles.title}>
                Nodes <span className={styles.amount}>{count(listed.length)}</span>
              </h3>
              <GraphNodeList
                nodes={listed}
                degrees={degrees}
                selected={selected}
                onSelect={(next) => {
                  select(next);
                  picture.current?.show(next);
                }}
                onOpen={open}
              />
            </section>
          </div>
        </div>
      )}
    </div>
  );
}

function pathKeys(found: FoundPath): ReadonlySet<string> {
  return new Set(pathModel(found).edges.map(({ key }) => key));
}

function PathNotice({ found, label }: { found: FoundPath; label: (id: number) => string }) {
  const [first] = found.paths;
  if (first === undefined) {
    return (
      <Notice tone="info">
        {found.is_complete ? 'No path of at most 6 steps joins the two.' : 'No path was found in what was looked at.'}
      </Notice>
    );
  }
  return (
    <Notice tone="info">
      {counted(found.steps ?? 0, 'step')}
      {found.isWeak && ', through rule matches: weaker than relationships'}: {first.map(label).join(' → ')}
      {found.paths.length > 1 && `, and ${count(found.paths.length - 1)}${found.is_capped ? '+' : ''} as short`}
    </Notice>
  );
}
