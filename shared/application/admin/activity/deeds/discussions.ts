import type { Tellers } from './teller.ts';

/** Of comments, watched jobs and notifications. */
export const discussionDeeds = {
  addComment: ({ input: { target, id, body } }) =>
    body === ''
      ? null
      : {
          action: 'discussion.comment',
          target: [target, id],
          summary: `Commented on a${target === 'entity' ? 'n' : ''} ${target}`,
        },
  editComment: ({ input: { id, body } }) =>
    body === '' ? null : { action: 'discussion.edit', target: ['comment', id], summary: 'Changed a comment' },
  deleteComment: ({ input: { id }, before: { isOthers } }) => ({
    action: 'discussion.delete',
    target: ['comment', id],
    summary: isOthers ? 'Deleted a comment of somebody else' : 'Deleted a comment',
    metadata: { of_another: isOthers },
  }),
  acknowledgeWatchedJob: null,
  acknowledgeNotification: null,
  acknowledgeNotifications: null,
  restoreNotifications: null,
} satisfies Partial<Tellers>;
