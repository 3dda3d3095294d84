import type { JobList } from '@svc/contracts';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import { totalOf } from '../../ui/format.ts';
import { Notice } from '../../ui/states.tsx';
import { TagDot } from '../../ui/tag.tsx';
import styles from './search-notes.module.css';

interface SearchNotesProps {
  /** Something narrows the list. */
  readonly isNarrowed: boolean;
  /** Tags that the address asks for, beside the query. */
  readonly tags: readonly string[];
  readonly list: Pick<JobList, 'total' | 'total_is_floor' | 'query_errors' | 'active_tags'> | undefined;
  readonly onTags: (tags: readonly string[]) => void;
}

/** What narrows the list beside the query, and what of the query cannot be used. */
export function SearchNotes({ isNarrowed, tags, list, onTags }: SearchNotesProps) {
  const colors = new Map(list?.active_tags.map(({ tag, color }) => [tag, color] as const));
  const errors = list?.query_errors ?? [];
  return (
    <>
      <p className="sr-only" role="status">
        {list && isNarrowed && `${totalOf(list)} ${list.total === 1 ? 'job' : 'jobs'} found`}
      </p>
      {tags.length > 0 && (
        <div className={styles.tags}>
          <span className="soft">{tags.length === 1 ? 'Tagged' : 'Tagged with any of'}</span>
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              className={styles.tag}
              onClick={() => onTags(tags.filter((other) => other !== tag))}
            >
              <TagDot color={colors.get(tag) ?? 'gray'} />
              <span className="sr-only">Remove </span>
              {tag}
              <IconX size={12} stroke={2} aria-hidden="true" />
            </button>
          ))}
        </div>
      )}
      {errors.length > 0 && (
        <div className={styles.errors}>
          <Notice tone="warn" icon={<IconAlertTriangle size={18} stroke={1.75} aria-hidden="true" />}>
            <ul>
              {errors.map(({ term, start, reason }) => (
                <li key={`${start} ${reason}`}>
                  <code>{term}</code> {reason}
                </li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
    </>
  );
}
