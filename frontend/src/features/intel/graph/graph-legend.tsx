import { entityTypes, type EntityType } from '@svc/domain';
import { count } from '../../../ui/format.ts';
import { entityTypeLooks } from '../entity-types.tsx';
import { typeColor, type GraphTheme } from './graph-looks.ts';
import { edgeName, edgeWords, type GraphEdge, type GraphHidden, type GraphModel } from './graph-model.ts';
import styles from './entity-graph.module.css';

interface LegendProps {
  readonly model: GraphModel;
  readonly hidden: GraphHidden;
  readonly theme: GraphTheme;
  readonly onHide: (hidden: GraphHidden) => void;
}

/** What colours mean; each takes its nodes or edges out of the picture and brings them back. */
export function GraphLegend({ model, hidden, theme, onHide }: LegendProps) {
  const ofType = new Map<EntityType, number>();
  for (const { type } of model.nodes.values()) ofType.set(type, (ofType.get(type) ?? 0) + 1);
  const ofEdge = new Map<string, { edge: GraphEdge; many: number }>();
  for (const edge of model.edges) {
    const name = edgeName(edge);
    ofEdge.set(name, { edge, many: (ofEdge.get(name)?.many ?? 0) + 1 });
  }
  return (
    <fieldset className={styles.legend}>
      <legend className="sr-only">Legend: what is shown</legend>
      {entityTypes
        .filter((type) => ofType.has(type))
        .map((type) => (
          <Chip
            key={type}
            isOn={!hidden.types.includes(type)}
            text={entityTypeLooks[type].many}
            many={ofType.get(type)!}
            dot={typeColor(type, theme)}
            onPress={() => onHide({ ...hidden, types: toggled(hidden.types, type) })}
          />
        ))}
      {[...ofEdge].map(([name, { edge, many }]) => (
        <Chip
          key={name}
          isOn={!hidden.edges.includes(name)}
          text={edgeWords(name)}
          many={many}
          line={theme.edges[edge.kind]}
          onPress={() => onHide({ ...hidden, edges: toggled(hidden.edges, name) })}
        />
      ))}
    </fieldset>
  );
}

function Chip(props: { isOn: boolean; text: string; many: number; dot?: string; line?: string; onPress: () => void }) {
  const { isOn, text, many, dot, line, onPress } = props;
  return (
    <button type="button" className={styles.chip} aria-pressed={isOn} onClick={onPress}>
      <span className={dot === undefined ? styles.line : styles.dot} style={{ background: dot ?? line }} />
      {text} <span className={styles.amount}>{count(many)}</span>
    </button>
  );
}

function toggled<T>(list: readonly T[], one: T): readonly T[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
}
