import { ActionIcon } from '@mantine/core';
import { tagColors, type TagColor } from '@svc/domain';
import { IconArrowMerge, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { tagDeeds, useTagDeed, type ManagedTag } from '../../api/tags.ts';
import { paths } from '../../paths.ts';
import { Choice } from '../../ui/choice.tsx';
import { cx } from '../../ui/class-names.ts';
import { focusStep } from '../../ui/focus-step.ts';
import { count, counted, sentence } from '../../ui/format.ts';
import { SortHead } from '../../ui/sort-head.tsx';
import { reasonOf } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { TagDot } from '../../ui/tag.tsx';
import { Age } from '../../ui/time.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import styles from './tags-page.module.css';
import { flat, grouped, type TagLine, type TagSorting } from './tags-view.ts';

/** What is asked about a tag. */
export type TagQuestion =
  | { readonly what: 'create' }
  | { readonly what: 'rename' | 'merge' | 'delete'; readonly tag: ManagedTag };

interface Asking {
  readonly onAsk: (question: TagQuestion) => void;
  /** What a change that needs no question came to. */
  readonly onSaid: (said: string) => void;
}

interface TagsTableProps extends Asking {
  readonly tags: readonly ManagedTag[];
  readonly sort: TagSorting;
  readonly onSort: (by: TagSorting) => void;
}

/** Tags with how often each is used and what can be done to it; by name, those of a namespace stand together. */
export function TagsTable({ tags, sort, onSort, ...asking }: TagsTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useKeys({
    j: () => focusStep(body.current, '[data-row]', 1),
    k: () => focusStep(body.current, '[data-row]', -1),
  });
  const head = (by: TagSorting) => {
    const first = by === 'name' ? 'ascending' : 'descending';
    return { first, direction: sort === by ? first : undefined, onSort: () => onSort(by) } as const;
  };
  const lines: readonly TagLine<ManagedTag>[] = sort === 'name' ? grouped(tags) : flat(tags);
  return (
    <div className={table.wrap}>
      <table className={table.table}>
        <thead>
          <tr>
            <SortHead label="Tag" {...head('name')} />
            <th scope="col" className={styles.color}>
              Colour
            </th>
            <SortHead label="Entities" isNumber className={styles.number} {...head('count')} />
            <th scope="col" className={cx('num', styles.number)}>
              Jobs
            </th>
            <SortHead label="Last used" isNumber className={styles.last} {...head('recent')} />
            <th scope="col" className={styles.buttons}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {lines.map((line) =>
            line.kind === 'namespace' ? (
              <Namespace key={`in ${line.name}`} {...line} />
            ) : (
              <Row key={line.tag.tag} line={line} isInside={sort === 'name' && line.namespace !== null} {...asking} />
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

function Namespace({ name, tags }: { name: string; tags: number }) {
  return (
    <tr className={cx(table.row, styles.namespace)}>
      <th scope="rowgroup" colSpan={6} aria-label={`${name} ${counted(tags, 'tag')}`}>
        <span className={styles.name}>
          <Link
            to={paths.entities}
            search={{ q: `tag:${/\s/.test(name) ? `"${name}"` : name}` }}
            className={styles.link}
          >
            {name}
          </Link>
          <span className="faint">{counted(tags, 'tag')}</span>
        </span>
      </th>
    </tr>
  );
}

type RowProps = Asking & { line: Extract<TagLine<ManagedTag>, { kind: 'tag' }>; isInside: boolean };

function Row({ line: { tag: managed, namespace, rest }, isInside, onAsk, onSaid }: RowProps) {
  const { tag, color, description, count: entities, job_count: jobs, last_used: last } = managed;
  const maintained = managed.maintained_by.map((rule) => `“${rule}”`).join(', ');
  const recolor = useTagDeed(
    (wanted: TagColor) => tagDeeds.recolor(tag, wanted),
    (done) => onSaid(`“${tag}” is ${done.color} everywhere`),
  );
  const shown = recolor.isPending ? recolor.variables : color;
  return (
    <tr className={table.row}>
      <td>
        <span className={cx(styles.name, isInside && styles.inside)}>
          <TagDot color={shown} />
          <Link data-row to={paths.entities} search={{ tags: [tag] }} className={styles.link} aria-label={tag}>
            {!isInside && namespace !== null && <span className="faint">{namespace}</span>}
            {rest}
          </Link>
          {description !== null && (
            <span className={styles.description} data-hint={description}>
              {description}
            </span>
          )}
          {maintained !== '' && (
            <span className={styles.description} data-hint={`Given by ${maintained}; it cannot be merged`}>
              By a shared rule
            </span>
          )}
        </span>
      </td>
      <td>
        <Choice
          label={`Colour of ${tag}`}
          value={shown}
          options={tagColors.map((one) => [one, sentence(one)])}
          onChange={(wanted) => recolor.mutate(wanted as TagColor, { onError: (error) => onSaid(reasonOf(error)) })}
        />
      </td>
      <td className="num">
        {entities === 0 ? (
          <span className="faint">0</span>
        ) : (
          <Link to={paths.entities} search={{ tags: [tag] }}>
            {count(entities)}
          </Link>
        )}
      </td>
      <td className="num">
        {jobs === 0 ? (
          <span className="faint">0</span>
        ) : (
          <Link to={paths.jobs} search={{ tags: [tag] }}>
            {count(jobs)}
          </Link>
        )}
      </td>
      <td className={cx('num soft', styles.last)}>
        {last === null ? <span className="faint">Never</span> : <Age iso={last} />}
      </td>
      <td>
        <span className={styles.actions}>
          {deeds.map(([what, words, Sign]) =>
            what === 'merge' && maintained !== '' ? null : (
              <ActionIcon
                key={what}
                aria-label={`${words} ${tag}`}
                data-hint={words}
                onClick={() => onAsk({ what, tag: managed })}
              >
                <Sign size={16} stroke={1.75} />
              </ActionIcon>
            ),
          )}
        </span>
      </td>
    </tr>
  );
}

const deeds = [
  ['rename', 'Rename', IconPencil],
  ['merge', 'Merge', IconArrowMerge],
  ['delete', 'Delete', IconTrash],
] as const;
