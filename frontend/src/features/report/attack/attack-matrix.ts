import type { FindingRow } from '@svc/contracts';
import { otherTactic, tactics, tacticsOf, techniquesOf, type TacticGroup } from '@svc/domain';

/** Rules and matched events of a technique within a tactic. */
export interface MatrixCell {
  /** `T1059.001`; empty for rules that name none. */
  readonly technique: string;
  readonly rules: number;
  readonly events: number;
}

export interface MatrixColumn {
  readonly tactic: TacticGroup;
  readonly rules: number;
  /** As every finding adds to each of its tactics (resolved-platform 8.2). */
  readonly events: number;
  /** By id, so that sub-techniques follow theirs. */
  readonly cells: readonly MatrixCell[];
}

const groups: readonly TacticGroup[] = [...tactics, otherTactic];

interface Sum {
  rules: number;
  events: number;
}

/**
 * Tactics that rules of the findings name, in ATT&CK order, with their techniques; a rule counts in each that it names,
 * and under no tactic when it names techniques alone.
 */
export function attackMatrix(findings: readonly FindingRow[]): MatrixColumn[] {
  const columns = new Map<TacticGroup, Sum & { cells: Map<string, Sum> }>();
  for (const { tags, count } of findings) {
    const named = new Set(techniquesOf(tags));
    const within: TacticGroup[] = tacticsOf(tags);
    if (within.length === 0 && named.size > 0) within.push(otherTactic);
    for (const tactic of within) {
      const column = columns.get(tactic) ?? { rules: 0, events: 0, cells: new Map<string, Sum>() };
      columns.set(tactic, column);
      add(column, count);
      for (const technique of named.size > 0 ? named : ['']) {
        const cell = column.cells.get(technique) ?? { rules: 0, events: 0 };
        column.cells.set(technique, cell);
        add(cell, count);
      }
    }
  }
  return groups.flatMap((tactic) => {
    const column = columns.get(tactic);
    if (column === undefined) return [];
    const cells = [...column.cells].map(([technique, sum]) => ({ technique, ...sum }));
    return [{ tactic, ...column, cells: cells.sort((a, b) => (a.technique < b.technique ? -1 : 1)) }];
  });
}

function add(sum: Sum, events: number): void {
  sum.rules += 1;
  sum.events += events;
}

/** Techniques in all columns, each once, and the events of the fullest cell. */
export function matrixTotals(columns: readonly MatrixColumn[]): { readonly techniques: number; readonly most: number } {
  const cells = columns.flatMap((column) => column.cells);
  const techniques = new Set(cells.map(({ technique }) => technique).filter((technique) => technique !== ''));
  return { techniques: techniques.size, most: Math.max(1, ...cells.map(({ events }) => events)) };
}
