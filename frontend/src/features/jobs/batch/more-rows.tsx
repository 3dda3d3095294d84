import { useState } from 'react';
import { count } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import styles from './batch.module.css';

const atFirst = 100;

interface More {
  readonly rest: number;
  readonly onAll: () => void;
}

/** The first of many rows, until all are asked for. */
export function useMoreRows<R>(all: readonly R[]): More & { readonly rows: readonly R[] } {
  const [isAll, setAll] = useState(false);
  const rows = isAll ? all : all.slice(0, atFirst);
  return { rows, rest: all.length - rows.length, onAll: () => setAll(true) };
}

export function MoreRows({ rest, onAll }: More) {
  if (rest === 0) return null;
  return (
    <p className={styles.more}>
      <LinkButton onClick={onAll}>Show {count(rest)} more</LinkButton>
    </p>
  );
}
