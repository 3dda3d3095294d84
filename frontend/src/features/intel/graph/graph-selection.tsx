import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { graphNeighboursQuery } from '../../../api/intel.ts';
import { paths } from '../../../paths.ts';
import { count, counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { SeverityMark } from '../../../ui/severity.tsx';
import { EntityLink } from '../entity-link.tsx';
import { EntityTypeMark } from '../entity-types.tsx';
import { edgeName, edgeWords, neighboursOf, type GraphEdge, type GraphModel, type GraphNode } from './graph-model.ts';
import styles from './entity-graph.module.css';

interface SelectionProps {
  readonly node: GraphNode;
  readonly model: GraphModel;
  readonly edges: readonly GraphEdge[];
  readonly job: number | undefined;
  /** Where a path begins, once that is chosen. */
  readonly start: GraphNode | null;
  readonly onSelect: (id: number) => void;
  readonly onExpand: (only: string) => void;
  readonly onPathFrom: () => void;
  readonly onPathTo: () => void;
}

const few = 12;

/** What is known of the node that is selected, what it can be expanded by, and what it is joined with. */
export function GraphSelection({ node, model, edges, job, start, onSelect, onExpand, ...path }: SelectionProps) {
  const { data } = useQuery(graphNeighboursQuery(node.id, job));
  const joined = neighboursOf(edges, node.id);
  const groups = data?.groups ?? [];
  return (
    <section className={`card ${styles.panel}`} aria-label="Selected">
      <h3 className={styles.value}>
        <EntityLink entity={{ id: node.id, value: node.label }} />
      </h3>
      <div className={styles.facts}>
        <EntityTypeMark type={node.type} />
        <span>{counted(node.jobCount, 'job')}</span>
        {node.aliases > 0 && <span>with {counted(node.aliases, 'alias', 'aliases')}</span>}
        {node.severity !== null && (
          <span>
            <SeverityMark severity={node.severity} /> worst finding
          </span>
        )}
        {node.verdict !== 'none' && <span>{node.verdict}, say services</span>}
        {node.cases.map((id) => (
          <Link key={id} to={paths.case} params={{ caseId: id }} search={{ view: 'graph' }}>
            in case {id}
          </Link>
        ))}
        {[...node.attributes, ...node.tags].map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
      {groups.length > 0 && (
        <>
          <h4 className={styles.title}>Expand by</h4>
          <div className={styles.actions}>
            {groups.map(({ kind, rel_type: type, neighbours, is_floor: isFloor }) => (
              <Button
                key={type ?? kind}
                variant="default"
                size="compact-xs"
                onClick={() => onExpand(type ?? kind)}
                aria-label={`Expand ${node.label} by ${edgeWords(type ?? kind)}: ${neighbours}`}
              >
                {edgeWords(type ?? kind)} {count(neighbours)}
                {isFloor && '+'}
              </Button>
            ))}
          </div>
        </>
      )}
      <div className={styles.actions} style={{ marginTop: 8 }}>
        {start === null || start.id === node.id ? (
          <LinkButton onClick={path.onPathFrom}>{start ? 'Path begins here' : 'Path from here'}</LinkButton>
        ) : (
          <LinkButton onClick={path.onPathTo}>{`Shortest path from ${start.label}`}</LinkButton>
        )}
      </div>
      {joined.length > 0 && (
        <>
          <h4 className={styles.title} style={{ marginTop: 12 }}>
            Joined with <span className={styles.amount}>{count(joined.length)}</span>
          </h4>
          <ul className={styles.rows} aria-label={`Joined with ${node.label}`}>
            {joined.slice(0, few).map(({ edge, other, isOut }) => {
              const one = model.nodes.get(other);
              if (one === undefined) return null;
              return (
                <li key={edge.key}>
                  <button type="button" className={styles.row} onClick={() => onSelect(other)}>
                    <EntityTypeMark type={one.type} isShort />
                    <span className={styles.name}>{one.label}</span>
                    <span className={styles.amount}>
                      {edge.kind === 'typed' && (isOut ? '→ ' : '← ')}
                      {edgeWords(edgeName(edge))} {count(edge.weight)}
                    </span>
                  </button>
                </li>
              );
            })}
          </ul>
          {joined.length > few && <p className="faint">and {count(joined.length - few)} more in the picture</p>}
        </>
      )}
    </section>
  );
}
