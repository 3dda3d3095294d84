import type { Tag } from '@svc/contracts';
import { cx } from './class-names.ts';
import styles from './tag.module.css';

/** The colour of a tag, which never stands without its name. */
export function TagDot({ color }: { color: Tag['color'] }) {
  return <span aria-hidden="true" className={styles.dot} style={{ background: `var(--tag-${color})` }} />;
}

/** Tags of a thing in one line; those beyond `most` are a number whose hint names them. */
export function Tags({ tags, most = 3 }: { tags: readonly Tag[]; most?: number }) {
  if (tags.length === 0) return null;
  const shown = tags.slice(0, most);
  const rest = tags.slice(most);
  return (
    <ul className={styles.tags} aria-label="Tags">
      {shown.map(({ tag, color }) => (
        <li key={tag} className={styles.tag}>
          <TagDot color={color} />
          <span className="cut" data-hint={tag}>
            {tag}
          </span>
        </li>
      ))}
      {rest.length > 0 && (
        <li className={cx(styles.tag, styles.rest)} data-hint={rest.map(({ tag }) => tag).join('\n')}>
          +{rest.length}
        </li>
      )}
    </ul>
  );
}
