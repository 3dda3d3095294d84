import { CopyButton } from './copy-button.tsx';
import { YamlLines } from './yaml-lines.tsx';
import styles from './yaml-view.module.css';

/** YAML with line numbers and colours. */
export function YamlView({ source, what }: { source: string; what: string }) {
  return (
    <div className={styles.view}>
      <CopyButton text={source} what={what} className={styles.copy} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <pre className={styles.code} tabIndex={0}>
        <YamlLines source={source.trimEnd()} />
      </pre>
    </div>
  );
}
