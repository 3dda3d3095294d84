import { Button } from '@mantine/core';
import { call, operations, type Session } from '@svc/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { invalidate } from '../../../api/query-client.ts';
import { queryKey } from '../../../api/query-key.ts';
import { sessionsQuery } from '../../../api/session.ts';
import { Failure } from '../../../ui/form.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './sessions.module.css';

const showLeft = () => invalidate(queryKey(operations.listSessions));

/** The browsers in which one is signed in, each with a way to sign it out. */
export function Sessions() {
  const { data, error, refetch } = useQuery(sessionsQuery);
  const endOthers = useMutation({ mutationFn: () => call(operations.endOtherSessions, {}), onSuccess: showLeft });
  if (data === undefined && error) {
    return <ErrorState what="The sessions cannot be listed" error={error} retry={() => void refetch()} />;
  }
  return (
    <div className={styles.sessions}>
      <ul className={styles.list} aria-busy={data === undefined}>
        {data?.map((session) => <SessionRow key={session.id} session={session} />) ?? <Skeleton height={40} />}
      </ul>
      {endOthers.error && <Failure error={endOthers.error} />}
      {data !== undefined && data.length > 1 && (
        <div>
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out everywhere else
          </Button>
        </div>
      )}
    </div>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { id, client, network, is_current: isCurrent, created_at: createdAt, last_used_at: usedAt } = session;
  const end = useMutation({ mutationFn: () => call(operations.endSession, { id }), onSettled: showLeft });
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <span className={styles.client}>
          {client}
          {isCurrent && <span className={styles.current}>This browser</span>}
        </span>
        <span className={styles.where}>
          {network}, since <Time iso={createdAt} />
          {!isCurrent && (
            <>
              , last used <Time iso={usedAt} />
            </>
          )}
        </span>
      </div>
      {!isCurrent && (
        <Button
          variant="default"
          size="xs"
          loading={end.isPending}
          aria-label={`Sign out ${client} from ${network}`}
          onClick={() => end.mutate()}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
