import { CopyButton } from './copy-button.tsx';
import { yamlLines } from './yaml-tokens.ts';
import styles from './yaml-view.module.css';

/** YAML with line numbers and colours. */
export function YamlView({ source, what }: { source: string; what: string }) {
  return (
    <div className={styles.view}>
      <CopyButton text={source} what={what} className={styles.copy} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        {yamlLines(source.trimEnd()).map((tokens, line) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines are known by their number
          <span key={line} className={styles.line}>
            {tokens.map(({ kind, text }, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- so are the tokens of a line
              <span key={place} className={styles[kind]}>
                {text}
              </span>
            ))}
            {'\n'}
          </span>
        ))}
      </pre>
    </div>
  );
}
