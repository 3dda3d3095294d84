import type { Tag } from '@svc/contracts';
import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { cx } from './class-names.ts';
import styles from './tag.module.css';

/** The colour of a tag, which never stands without its name. */
export function TagDot({ color }: { color: Tag['color'] }) {
  return <span aria-hidden="true" className={styles.dot} style={{ background: `var(--tag-${color})` }} />;
}

interface TagsProps {
  readonly tags: readonly Tag[];
  readonly most?: number;
  /** Makes each tag a way to the jobs that carry it, among those that this search finds. */
  readonly within?: { readonly q: string };
}

/** Tags of a thing in one line; those beyond `most` are a number whose hint names them. */
export function Tags({ tags, most = 3, within }: TagsProps) {
  if (tags.length === 0) return null;
  const shown = tags.slice(0, most);
  const rest = tags.slice(most);
  return (
    <ul className={styles.tags} aria-label="Tags">
      {shown.map(({ tag, color }) => {
        const content = (
          <>
            <TagDot color={color} />
            <span className="cut" data-hint={tag}>
              {tag}
            </span>
          </>
        );
        return (
          <li key={tag} className={styles.tag}>
            {within ? (
              <Link to={paths.jobs} search={{ ...within, tags: [tag] }} className={styles.link}>
                {content}
              </Link>
            ) : (
              content
            )}
          </li>
        );
      })}
      {rest.length > 0 && (
        <li className={cx(styles.tag, styles.rest)} data-hint={rest.map(({ tag }) => tag).join('\n')}>
          +{rest.length}
        </li>
      )}
    </ul>
  );
}
