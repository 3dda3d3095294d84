import { addComment } from '@svc/application/comments/add-comment.ts';
import { deleteComment } from '@svc/application/comments/delete-comment.ts';
import { editComment } from '@svc/application/comments/edit-comment.ts';
import { listComments } from '@svc/application/comments/list-comments.ts';
import { acknowledgeNotification } from '@svc/application/notifications/acknowledge-notification.ts';
import { acknowledgeNotifications } from '@svc/application/notifications/acknowledge-notifications.ts';
import { countNotifications } from '@svc/application/notifications/count-notifications.ts';
import { listNotifications } from '@svc/application/notifications/list-notifications.ts';
import { restoreNotifications } from '@svc/application/notifications/restore-notifications.ts';
import { acknowledgeWatchedJob } from '@svc/application/watches/acknowledge-watched-job.ts';
import { listWatchedJobs } from '@svc/application/watches/list-watched-jobs.ts';
import { unwatchJob } from '@svc/application/watches/unwatch-job.ts';
import { watchJob } from '@svc/application/watches/watch-job.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import type { TableOf } from '../route.ts';

const table = {
  acknowledgeNotification,
  acknowledgeNotifications,
  acknowledgeWatchedJob,
  addComment,
  countNotifications,
  deleteComment,
  editComment,
  listComments,
  listNotifications,
  listWatchedJobs,
  restoreNotifications,
  unwatchJob,
  watchJob,
} satisfies TableOf<'discussions'>;

export const handler = areaHandler(areaPorts.discussions, table);
