import { Button } from '@mantine/core';
import { call, operations, type WebhookDeliveryDetails } from '@svc/contracts';
import type { DeliveryState } from '@svc/domain';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { invalidate } from '../../api/query-client.ts';
import { operationQuery, queryKey } from '../../api/query-key.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorState, reasonOf, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './deliveries-tab.module.css';

/** The attempts of a delivery with what was sent, and a way to have it sent once more. */
export function DeliveryDetails({ id, state }: { id: string; state: DeliveryState }) {
  const { data, error, refetch } = useQuery(operationQuery(operations.getWebhookDelivery, { id }));
  const again = useMutation({
    mutationFn: () => call(operations.redeliverWebhook, { id }),
    onSuccess: () =>
      invalidate(queryKey(operations.listWebhookDeliveries), queryKey(operations.getWebhookDelivery, { id })),
  });
  if (data === undefined) {
    return error ? (
      <ErrorState what="The delivery cannot be read" error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton height={120} />
    );
  }
  return (
    <div className={styles.delivery}>
      <p className="soft">
        Receivers know it as <code>{id}</code>, however often it is sent.
      </p>
      {data.attempts.map((attempt) => (
        <Attempt key={attempt.attempt} attempt={attempt} />
      ))}
      <p>
        <Button
          variant="default"
          leftSection={<IconSend size={16} stroke={1.75} aria-hidden />}
          disabled={state === 'queued' || again.isPending}
          data-hint={state === 'queued' ? 'It is on its way already' : undefined}
          onClick={() => again.mutate()}
        >
          Redeliver
        </Button>
        {again.error && <span role="alert"> {reasonOf(again.error)}</span>}
      </p>
    </div>
  );
}

function Attempt({ attempt }: { attempt: WebhookDeliveryDetails['attempts'][number] }) {
  const {
    attempt: number,
    at,
    ok,
    status_code: status,
    error,
    duration_ms: ms,
    next_attempt_at: next,
    request,
  } = attempt;
  const how = ok === null ? 'under way' : (error ?? `answered ${status}`);
  return (
    <section className={styles.attempt} aria-label={`Attempt ${number}`}>
      <p>
        <strong>Attempt {number}</strong>, <Time iso={at} />: {how}
        {ms !== null && <span className="soft"> after {ms} ms</span>}
        {next !== null && (
          <span className="soft">
            {' '}
            · next attempt <Time iso={next} />
          </span>
        )}
      </p>
      {request && (
        <details>
          <summary>Request as sent</summary>
          <pre className={styles.request}>
            {request.method} {request.url}
            {'\n'}
            {Object.entries(request.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
            {'\n\n'}
            {request.body}
          </pre>
          <CopyButton text={request.body} what="body" />
        </details>
      )}
    </section>
  );
}
