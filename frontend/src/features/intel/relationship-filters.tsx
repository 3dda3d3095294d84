import type { RelationshipKind } from '@svc/domain';
import type { RelationsNarrowed } from '../../api/intel.ts';
import { count } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import chips from './entities-page.module.css';
import styles from './entity-relationships.module.css';

/** What of the filters changes; undefined takes one away. */
export type NarrowChange = { readonly [K in keyof RelationsNarrowed]?: RelationsNarrowed[K] | undefined };

interface FiltersProps {
  readonly kinds: readonly {
    readonly rel_type: RelationshipKind;
    readonly label: string;
    readonly count: number;
  }[];
  readonly narrowed: RelationsNarrowed;
  readonly onNarrow: (change: NarrowChange) => void;
}

/** Types of relationships to choose from, and the time in which events show them. */
export function RelationshipFilters({ kinds, narrowed, onNarrow }: FiltersProps) {
  const chosen = narrowed.kinds?.split(',') ?? [];
  const toggle = (kind: string) => {
    const next = chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind];
    onNarrow({ kinds: next.length === 0 ? undefined : next.join(',') });
  };
  const isNarrowed = Object.keys(narrowed).length > 0;
  return (
    <div className={styles.filters}>
      <div className={chips.types} role="group" aria-label="Types of relationships">
        {kinds.map((kind) => (
          <button
            key={kind.rel_type}
            type="button"
            className={chips.chip}
            aria-pressed={chosen.includes(kind.rel_type)}
            onClick={() => toggle(kind.rel_type)}
          >
            {kind.label} <span className="faint">{count(kind.count)}</span>
          </button>
        ))}
      </div>
      <div className={styles.window}>
        <MomentField label="From" value={narrowed.from} onChange={(from) => onNarrow({ from })} />
        <MomentField label="To" value={narrowed.to} onChange={(to) => onNarrow({ to })} />
      </div>
      {isNarrowed && (
        <LinkButton onClick={() => onNarrow({ kinds: undefined, from: undefined, to: undefined })}>Show all</LinkButton>
      )}
    </div>
  );
}
