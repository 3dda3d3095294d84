import { ActionIcon } from '@mantine/core';
import { call, operations, type NotificationItem, type OutputOf } from '@svc/contracts';
import { IconBell, IconCheck, IconMessage, IconSparkles, IconTag } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, type KeyboardEvent } from 'react';
import { notificationsQuery, refreshBell, unreadQuery } from '../../api/discussions.ts';
import { queryClient } from '../../api/query-client.ts';
import { paths } from '../../paths.ts';
import { focusStep } from '../../ui/focus-step.ts';
import { count } from '../../ui/format.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { reasonOf, Skeleton } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import styles from './bell.module.css';

/** The newest notifications; arrow keys move among them, Enter opens one, Delete acknowledges it. */
export function BellPanel({ unread, onClose }: { unread: number; onClose: () => void }) {
  const { data: items, error } = useQuery(notificationsQuery);
  const panel = useRef<HTMLDivElement>(null);
  const acknowledge = useMutation({
    mutationFn: (done: NotificationItem | 'all') => acknowledgeAtOnce(done, items ?? []),
  });
  const restore = useMutation({
    mutationFn: (acknowledged_at: string) => call(operations.restoreNotifications, { acknowledged_at }),
    onSuccess: () => acknowledge.reset(),
    onSettled: refreshBell,
  });
  const failure = error ?? acknowledge.error ?? restore.error;
  const step = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    focusStep(panel.current, 'a[data-item]', by);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the links inside
    <div ref={panel} onKeyDown={step}>
      <div className={styles.head}>
        <h2 className={styles.title}>Notifications</h2>
        {items && items.length > 0 && (
          <LinkButton onClick={() => acknowledge.mutate('all')}>Acknowledge all</LinkButton>
        )}
      </div>
      {failure !== null && (
        <p role="alert" className={styles.note}>
          {reasonOf(failure)}
        </p>
      )}
      {acknowledge.data && (
        <p role="status" className={styles.done}>
          {acknowledge.variables === 'all' ? 'All acknowledged' : 'Acknowledged'}
          <LinkButton disabled={restore.isPending} onClick={() => restore.mutate(acknowledge.data.acknowledged_at)}>
            Undo
          </LinkButton>
        </p>
      )}
      {items === undefined && !error && <BellSkeleton />}
      {items?.length === 0 && (
        <p className={styles.note}>
          Nothing waits for you. What your alert rules match shows up here, and what others say of jobs that you watch
          and of cases that you work on.
        </p>
      )}
      <ul className={styles.items}>
        {items?.map((item) => (
          <Item
            key={`${item.stream}-${item.id}`}
            item={item}
            onOpen={() => {
              acknowledge.mutate(item);
              onClose();
            }}
            onAcknowledge={() => {
              // To the next one, or after the last to the link below it.
              focusStep(panel.current, 'a', 1);
              acknowledge.mutate(item);
            }}
          />
        ))}
      </ul>
      <div className={styles.foot}>
        <Link to={paths.watching} onClick={onClose}>
          Watched jobs
        </Link>
        {items && unread > items.length && (
          <span className="faint">
            the newest {items.length} of {count(unread)}
          </span>
        )}
      </div>
    </div>
  );
}

interface ItemProps {
  readonly item: NotificationItem;
  readonly onOpen: () => void;
  readonly onAcknowledge: () => void;
}

function Item({ item, onOpen, onAcknowledge }: ItemProps) {
  const { job, case: about, rule, entity, kind, summary, comment_id: comment, run_id: run, at } = item;
  const [Icon, what] = rule
    ? ([IconBell, 'Alert'] as const)
    : kind === 'tag'
      ? ([IconTag, 'New tags'] as const)
      : kind === 'ai'
        ? ([IconSparkles, 'AI analysis'] as const)
        : ([IconMessage, 'Comment'] as const);
  const link = useRef<HTMLAnchorElement>(null);
  const acknowledge = () => {
    // From its own place the focus goes on, also when the button had it.
    link.current?.focus();
    onAcknowledge();
  };
  return (
    <li className={styles.item}>
      <Icon size={16} stroke={1.75} aria-label={what} className={styles.kind} />
      <Link
        ref={link}
        data-item
        {...(entity
          ? { to: paths.entity, params: { entityId: entity.id }, search: {} }
          : about
            ? {
                to: paths.case,
                params: { caseId: about.id },
                search: { view: 'discussion', ...(comment !== undefined && { comment }) },
              }
            : {
                to: paths.job,
                params: { jobId: job?.id ?? 0 },
                search:
                  kind === 'ai'
                    ? { view: 'ai' as const, ...(run !== undefined && { run }) }
                    : kind === 'comment'
                      ? { view: 'discussion', ...(comment !== undefined && { comment }) }
                      : {},
              })}
        className={styles.text}
        onClick={onOpen}
        onKeyDown={({ key }) => key === 'Delete' && acknowledge()}
      >
        <span className={styles.summary}>{rule ? [rule.name, entity?.value].filter(Boolean).join(': ') : summary}</span>
        <span className={styles.about}>
          <span className="cut">{about?.name ?? job?.filename}</span>
          <Age iso={at} />
        </span>
      </Link>
      <ActionIcon size={26} aria-label="Acknowledge" data-hint="Acknowledge (Delete)" onClick={acknowledge}>
        <IconCheck size={16} stroke={1.75} />
      </ActionIcon>
    </li>
  );
}

function BellSkeleton() {
  return (
    <div className={styles.note} role="status" aria-busy="true" aria-label="Notifications are loading">
      <Skeleton width="80%" />
      <Skeleton width="40%" />
    </div>
  );
}

/** Takes them out of the bell at once; they come back when the service refuses. */
async function acknowledgeAtOnce(
  done: NotificationItem | 'all',
  items: readonly NotificationItem[],
): Promise<OutputOf<typeof operations.acknowledgeNotification>> {
  const rest = done === 'all' ? [] : items.filter((item) => item !== done);
  await Promise.all([notificationsQuery, unreadQuery].map(({ queryKey }) => queryClient.cancelQueries({ queryKey })));
  queryClient.setQueryData(notificationsQuery.queryKey, rest);
  queryClient.setQueryData(unreadQuery.queryKey, (before = 0) => (done === 'all' ? 0 : Math.max(0, before - 1)));
  try {
    return await (done === 'all'
      ? call(operations.acknowledgeNotifications, {})
      : call(operations.acknowledgeNotification, { stream: done.stream, id: done.id }));
  } finally {
    void refreshBell();
  }
}
