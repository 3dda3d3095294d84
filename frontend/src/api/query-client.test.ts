import { operations } from '@svc/contracts';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it } from 'vitest';
import { invalidate, queryClient } from './query-client.ts';
import { queryKey } from './query-key.ts';

afterEach(() => queryClient.clear());

it.each([
  ['has come', true],
  ['is on its way, which knows nothing of the change', false],
])('reads anew what is on the page when a first answer %s', async (_, hasCome) => {
  const asked: ((answer: string) => void)[] = [];
  const key = queryKey(operations.listAlertRules);
  const queryFn = () => new Promise<string>((resolve) => asked.push(resolve));
  const observer = new QueryObserver(queryClient, { queryKey: key, queryFn });
  const leave = observer.subscribe(() => undefined);
  if (hasCome) {
    asked.shift()!('before');
    await expect.poll(() => observer.getCurrentResult().data).toBe('before');
  }
  const done = invalidate(key);
  if (!hasCome) asked.shift()!('before');
  await expect.poll(() => asked.length).toBe(1);
  asked.shift()!('after');
  await done;
  expect(observer.getCurrentResult().data).toBe('after');
  leave();
});
