import type { RelationshipKind } from '@svc/domain';
import { useEffect, useRef } from 'react';
import type { RelationsNarrowed } from '../../api/intel.ts';
import { count } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
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
      <Moment label="From" value={narrowed.from} onChange={(from) => onNarrow({ from })} />
      <Moment label="To" value={narrowed.to} onChange={(to) => onNarrow({ to })} />
      {isNarrowed && (
        <LinkButton onClick={() => onNarrow({ kinds: undefined, from: undefined, to: undefined })}>Show all</LinkButton>
      )}
    </div>
  );
}

/** A time in UTC, which the browser's own field would read as local. */
function Moment(props: { label: string; value: number | undefined; onChange: (value: number | undefined) => void }) {
  const { label, value, onChange } = props;
  const field = useRef<HTMLInputElement>(null);
  // What is typed is the browser's until it is a whole time; what the address says is shown when that changes.
  useEffect(() => {
    if (field.current && timeOf(field.current) !== value) field.current.value = written(value);
  }, [value]);
  return (
    <label className={styles.moment}>
      {label} <span className="faint">UTC</span>
      <input
        ref={field}
        type="datetime-local"
        step={1}
        defaultValue={written(value)}
        onChange={({ target }) => {
          const at = timeOf(target);
          if (at === undefined ? !target.validity.badInput : at >= 0) onChange(at);
        }}
      />
    </label>
  );
}

function written(value: number | undefined): string {
  return value === undefined ? '' : new Date(value).toISOString().slice(0, 19);
}

function timeOf({ value }: HTMLInputElement): number | undefined {
  return value === '' ? undefined : Date.parse(`${value}Z`);
}
