import { commentLimits, commentTargets, entityTypes, notificationStreams, watchEventKinds } from '@svc/domain';
import { z } from 'zod';
import { Id, PathId, Timestamp } from '../fields.ts';
import { JobRow } from '../jobs/operations.ts';
import type { Operation } from '../operation.ts';

export const Comment = z.object({
  id: z.number().int(),
  /** Null when the account is gone. */
  author: z.object({ name: z.string() }).nullable(),
  /** As written. */
  body: z.string(),
  created_at: Timestamp,
  edited_at: Timestamp.optional(),
  can_edit: z.boolean(),
  can_delete: z.boolean(),
});
export type Comment = z.output<typeof Comment>;

/** Part of a discussion, oldest comment first. */
export const CommentThread = z.object({
  /** In the whole thread. */
  total: z.number().int(),
  shown: z.number().int(),
  comments: z.array(Comment),
  /** Whether bodies are meant to be shown as Markdown (the site setting `render_markdown`). */
  markdown: z.boolean(),
});
export type CommentThread = z.output<typeof CommentThread>;

/** A watched job, and what has happened to it that its watcher has not acknowledged. */
export const WatchedJob = z.object({ job: JobRow, since: Timestamp, unread: z.number().int() });
export type WatchedJob = z.output<typeof WatchedJob>;

export const NotificationItem = z.object({
  stream: z.enum(notificationStreams),
  id: z.number().int(),
  at: Timestamp,
  /** What it is about: a job, or in the stream `case` a case. */
  job: z.object({ id: z.number().int(), filename: z.string() }).optional(),
  case: z.object({ id: z.number().int(), name: z.string() }).optional(),
  /** Of an alert: the rule, and what it matched where that is not the job. */
  rule: z.object({ id: z.number().int(), name: z.string() }).optional(),
  entity: z.object({ id: z.number().int(), type: z.enum(entityTypes), value: z.string() }).optional(),
  kind: z.enum(watchEventKinds).optional(),
  /** Of a comment: the comment. */
  comment_id: z.number().int().optional(),
  /** Of an AI analysis: the run. */
  run_id: z.number().int().optional(),
  summary: z.string().optional(),
});
export type NotificationItem = z.output<typeof NotificationItem>;

const Unread = z.object({ unread: z.number().int() });
/** What is left, and the moment by which the acknowledgement can be taken back. */
const Acknowledged = Unread.extend({ acknowledged_at: Timestamp });
/** The database has no year 0. */
const Acknowledgement = Timestamp.refine(
  (at) => !at.startsWith('0000'),
  'must be what the acknowledgement answered with',
);
const Watching = z.object({ watching: z.boolean() });
const ThreadPath = z.object({ target: z.enum(commentTargets), id: Id });
const Body = z.object({ body: z.string().trim().max(commentLimits.length) });

/** Comments, watched jobs and notifications (resolved-platform 13.2 to 13.4). */
export const discussionOperations = {
  listComments: {
    area: 'discussions',
    method: 'GET',
    path: '/comments/{target}/{id}',
    summary: `The newest ${commentLimits.page} comments on a job, a case or an entity, or those before a comment, oldest first`,
    access: 'user',
    params: ThreadPath,
    query: z.object({ before: Id.optional() }),
    success: [200],
    output: CommentThread,
    errors: ['not_found', 'case_not_found', 'forbidden'],
  },
  addComment: {
    area: 'discussions',
    method: 'POST',
    path: '/comments/{target}/{id}',
    summary: `Comment on a job, which its author then watches, on a case or, for members, on an entity; at most ${commentLimits.length} characters, and an empty text does nothing`,
    access: 'user',
    params: ThreadPath,
    body: Body,
    limit: 'comment',
    success: [200],
    output: CommentThread,
    errors: ['not_found', 'case_not_found', 'forbidden'],
  },
  editComment: {
    area: 'discussions',
    method: 'POST',
    path: '/comments/{id}/edit',
    summary: 'Change the text of one’s own comment; an empty text does nothing',
    access: 'user',
    params: PathId,
    body: Body,
    limit: 'comment',
    success: [200],
    output: CommentThread,
    errors: ['not_found', 'forbidden'],
  },
  deleteComment: {
    area: 'discussions',
    method: 'POST',
    path: '/comments/{id}/delete',
    summary: 'Delete a comment: for its author, the owner of the case that it is on, and administrators',
    access: 'user',
    params: PathId,
    success: [200],
    output: CommentThread,
    errors: ['not_found', 'forbidden'],
  },
  watchJob: {
    area: 'discussions',
    method: 'POST',
    path: '/jobs/{id}/watch',
    summary: 'Begin to watch a job, or end it when it is watched',
    access: 'user',
    params: PathId,
    success: [200],
    output: Watching,
    errors: ['not_found', 'watch_limit'],
  },
  listWatchedJobs: {
    area: 'discussions',
    method: 'GET',
    path: '/jobs/watching',
    summary: 'Visible jobs that the caller watches, those with most unread events first',
    access: 'user',
    success: [200],
    output: z.object({ jobs: z.array(WatchedJob) }),
    errors: [],
  },
  acknowledgeWatchedJob: {
    area: 'discussions',
    method: 'POST',
    path: '/jobs/watching/{id}/ack',
    summary: 'Acknowledge all that has happened to a watched job; answers what is left to read elsewhere',
    access: 'user',
    params: PathId,
    success: [200],
    output: Unread,
    errors: [],
  },
  unwatchJob: {
    area: 'discussions',
    method: 'POST',
    path: '/jobs/watching/{id}/stop',
    summary: 'End watching a job, whether it is watched or not; its events go too',
    access: 'user',
    params: PathId,
    success: [200],
    output: Watching,
    errors: [],
  },
  countNotifications: {
    area: 'discussions',
    method: 'GET',
    path: '/notifications/count',
    summary: 'How many notifications of the caller wait to be acknowledged',
    access: 'user',
    success: [200],
    output: Unread,
    errors: [],
  },
  listNotifications: {
    area: 'discussions',
    method: 'GET',
    path: '/notifications',
    summary: 'The 25 newest notifications that wait to be acknowledged',
    access: 'user',
    success: [200],
    output: z.object({ items: z.array(NotificationItem) }),
    errors: [],
  },
  acknowledgeNotification: {
    area: 'discussions',
    method: 'POST',
    path: '/notifications/{stream}/{id}/ack',
    summary: 'Acknowledge one notification; answers how many are left',
    access: 'user',
    params: z.object({ stream: z.enum(notificationStreams), id: Id }),
    success: [200],
    output: Acknowledged,
    errors: ['not_found'],
  },
  acknowledgeNotifications: {
    area: 'discussions',
    method: 'POST',
    path: '/notifications/ack-all',
    summary: 'Acknowledge all notifications of the caller',
    access: 'user',
    success: [200],
    output: Acknowledged,
    errors: [],
  },
  restoreNotifications: {
    area: 'discussions',
    method: 'POST',
    path: '/notifications/restore',
    summary: 'Take an acknowledgement of the caller’s back, by the moment that it answered with',
    access: 'user',
    body: z.object({ acknowledged_at: Acknowledgement }),
    success: [200],
    output: Unread,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
