import { cx } from './class-names.ts';
import styles from './yaml-lines.module.css';
import { yamlLines } from './yaml-tokens.ts';

interface YamlLinesProps {
  readonly source: string;
  /** A further class for the line of this number, from 1 on. */
  readonly mark?: (number: number) => string | undefined;
}

/** The lines of YAML with numbers and colours, for a `pre` that counts them (`counter-reset: line`). */
export function YamlLines({ source, mark }: YamlLinesProps) {
  return yamlLines(source).map((tokens, line) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines are known by their number
    <span key={line} className={cx(styles.line, mark?.(line + 1))}>
      {tokens.map(({ kind, text }, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- so are the tokens of a line
        <span key={place} className={styles[kind]}>
          {text}
        </span>
      ))}
      {'\n'}
    </span>
  ));
}
