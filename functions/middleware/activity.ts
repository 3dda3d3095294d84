import type { Before } from '@svc/application/admin/activity/deeds/teller.ts';
import { deedOf, isTold } from '@svc/application/admin/activity/deeds.ts';
import { recordActivity } from '@svc/application/admin/activity/record-activity.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import type { InputOf, OperationName, operations } from '@svc/contracts';
import { AppError, type Actor, type Deed } from '@svc/domain';
import { callOf, type CallContext, type HttpMiddleware } from '../call-context.ts';

type ActivityPorts = Pick<Ports, 'accounts' | 'activityLog' | 'clock' | 'comments' | 'log' | 'settings'>;

/** Records what requests have done and sign-ins that failed (service 6.4). It needs the parsed input. */
export function activity(ports: ActivityPorts): HttpMiddleware {
  const record = (context: CallContext, { settings }: Before, deed: Deed): Promise<void> =>
    recordActivity(ports, { actor: callOf(context).actor, requestId: context.requestId }, settings, deed);
  return {
    before: async ({ context }) => {
      const { route, actor } = callOf(context);
      if (isTold(route.name)) context.earlier = await earlier(ports, route.name, actor, context.input);
    },
    after: async ({ context }) => {
      const { earlier: before, input, output } = context;
      if (!before) return;
      const deed = deedOf(callOf(context).route.name, { input, output, before });
      if (deed !== null) await record(context, before, deed);
    },
    onError: async ({ context, error }) => {
      const { earlier: before, route, input } = context;
      const isWrong = error instanceof AppError && error.code === 'bad_credentials';
      if (!before || route?.name !== 'login' || !isWrong) return;
      await record(context, before, await failedSignIn(ports, input as InputOf<typeof operations.login>));
    },
  };
}

/** What has to be known before it is changed. */
async function earlier(
  { accounts, comments, settings }: ActivityPorts,
  name: OperationName,
  actor: Actor,
  input: unknown,
): Promise<Before> {
  const before = { settings: await settings.current(), name: null, isOthers: false };
  if (!before.settings.activityLogEnabled) return before;
  const { id } = input as { readonly id?: string | number };
  if (name === 'deleteUser') return { ...before, name: (await accounts.get(String(id)))?.email ?? null };
  if (name !== 'deleteComment') return before;
  const comment = await comments.get(Number(id));
  return { ...before, isOthers: actor.kind === 'account' && comment?.author?.id !== actor.userId };
}

async function failedSignIn(
  { accounts }: Pick<Ports, 'accounts'>,
  { username }: InputOf<typeof operations.login>,
): Promise<Deed> {
  const email = username.trim();
  const isInactive = (await accounts.findByEmail(email))?.isActive === false;
  return {
    action: 'auth.login_failed',
    outcome: isInactive ? 'denied' : 'failure',
    summary: `Could not sign in as ${email}`,
  };
}
