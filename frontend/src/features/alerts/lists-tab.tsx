import { Button } from '@mantine/core';
import type { RuleList } from '@svc/contracts';
import { entitySearchLimits, listAsSet } from '@svc/domain';
import { IconListNumbers, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { listDeeds, ruleListsQuery, useListDeed } from '../../api/rule-lists.ts';
import { useMe } from '../../api/session.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { count } from '../../ui/format.ts';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import { DeleteList, EditList } from './list-dialogs.tsx';
import styles from './lists.module.css';

type Question = { readonly what: 'edit' | 'delete'; readonly list: RuleList } | { readonly what: 'create' };

/** Named sets of values, what asks for them, and how their sources did. */
export function ListsTab(): ReactNode {
  const lists = useQuery(ruleListsQuery);
  const isAdmin = useMe()?.role === 'admin';
  const [asked, setAsked] = useState<Question | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const done = (text: string | null) => {
    setAsked(null);
    setSaid(text);
  };
  if (lists.data === undefined) {
    if (!lists.isError) return <Skeleton height={320} />;
    return <ErrorState what="The lists cannot be listed" error={lists.error} retry={() => void lists.refetch()} />;
  }
  const found = lists.data.lists;
  const create = isAdmin && (
    <Button
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
      onClick={() => setAsked({ what: 'create' })}
    >
      New list
    </Button>
  );
  return (
    <>
      <div className={styles.bar}>
        <p className="soft">
          A search or a rule asks for a list with <code>list:name</code>; what is changed holds at once.
        </p>
        {found.length > 0 && create}
      </div>
      <div role="status">{said !== null && <Notice tone="good">{said}</Notice>}</div>
      {found.length === 0 ? (
        <EmptyState icon={IconListNumbers} title="No lists yet" action={create}>
          A list holds up to 2,000 values: programs, hosts, domains. {!isAdmin && 'Administrators make them.'}
        </EmptyState>
      ) : (
        <ul className={styles.lists}>
          {found.map((list) => (
            <li key={list.id} className="card">
              <ListRow list={list} isAdmin={isAdmin} onAsk={setAsked} onSaid={setSaid} />
            </li>
          ))}
        </ul>
      )}
      {asked?.what === 'create' && <EditList list={null} isAdmin onClose={() => done(null)} onDone={done} />}
      {asked?.what === 'edit' && (
        <EditList list={asked.list} isAdmin={isAdmin} onClose={() => done(null)} onDone={done} />
      )}
      {asked?.what === 'delete' && <DeleteList list={asked.list} onClose={() => done(null)} onDone={done} />}
    </>
  );
}

interface RowProps {
  readonly list: RuleList;
  readonly isAdmin: boolean;
  readonly onAsk: (question: Question) => void;
  readonly onSaid: (text: string | null) => void;
}

const kinds = { exact: 'Whole values', suffix: 'Ends of values', domain: 'Domains and all below' } as const;

function ListRow({ list, isAdmin, onAsk, onSaid }: RowProps) {
  const refresh = useListDeed(listDeeds.refresh, ({ name, last_fetch_ok: isOk }) =>
    onSaid(isOk === true ? `Read “${name}” from its source` : null),
  );
  const set = list.count > list.values.length ? null : listAsSet(list, entitySearchLimits.values);
  return (
    <div className={styles.row}>
      <div className={styles.about}>
        <h3>
          <code>{list.name}</code>
        </h3>
        {list.description !== '' && <p className="soft">{list.description}</p>}
        <p className="faint">
          {kinds[list.match]} · {count(list.count)} {list.count === 1 ? 'value' : 'values'} ·{' '}
          {list.used_by.length === 0 ? 'no rule asks for it' : `used by ${list.used_by.join(', ')}`}
        </p>
        <SourceState list={list} />
        {refresh.isError && <Notice tone="bad">{refresh.error.message}</Notice>}
      </div>
      <div className={styles.deeds}>
        {set !== null && <CopyButton text={set} what={`${list.name} as in:(…)`} />}
        {isAdmin && list.has_source && (
          <Button variant="default" size="xs" loading={refresh.isPending} onClick={() => refresh.mutate(list.id)}>
            Refresh<span className="sr-only"> {list.name}</span>
          </Button>
        )}
        <Button variant="default" size="xs" onClick={() => onAsk({ what: 'edit', list })}>
          {isAdmin ? 'Edit' : 'Show'}
          <span className="sr-only"> {list.name}</span>
        </Button>
        {isAdmin && (
          <Button variant="default" size="xs" onClick={() => onAsk({ what: 'delete', list })}>
            Delete<span className="sr-only"> {list.name}</span>
          </Button>
        )}
      </div>
    </div>
  );
}

/** Where its values are from, and how that went the last time. */
function SourceState({ list }: { list: RuleList }) {
  if (!list.has_source) return null;
  const { last_fetched_at: at, last_fetch_ok: isOk, last_fetch_error: error, refresh_hours: hours } = list;
  return (
    <>
      <p className="faint">
        {typeof list.source_url === 'string' ? list.source_url : 'From a source'} ·{' '}
        {hours === 0 ? 'read on demand' : `read every ${hours} h`} ·{' '}
        {at === null ? (
          'never read'
        ) : (
          <>
            read <Age iso={at} isSaid />
          </>
        )}
      </p>
      {isOk === false && <Notice tone="warn">{error}; the values are those from before</Notice>}
    </>
  );
}
