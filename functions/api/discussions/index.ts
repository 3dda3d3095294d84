import { httpHandler } from '../../http-handler.ts';
import { acknowledgeNotificationRoute } from './acknowledge-notification.ts';
import { acknowledgeNotificationsRoute } from './acknowledge-notifications.ts';
import { acknowledgeWatchedJobRoute } from './acknowledge-watched-job.ts';
import { addCommentRoute } from './add-comment.ts';
import { countNotificationsRoute } from './count-notifications.ts';
import { deleteCommentRoute } from './delete-comment.ts';
import { editCommentRoute } from './edit-comment.ts';
import { listCommentsRoute } from './list-comments.ts';
import { listNotificationsRoute } from './list-notifications.ts';
import { listWatchedJobsRoute } from './list-watched-jobs.ts';
import { restoreNotificationsRoute } from './restore-notifications.ts';
import { unwatchJobRoute } from './unwatch-job.ts';
import { watchJobRoute } from './watch-job.ts';

export const handler = httpHandler([
  acknowledgeNotificationRoute,
  acknowledgeNotificationsRoute,
  acknowledgeWatchedJobRoute,
  addCommentRoute,
  countNotificationsRoute,
  deleteCommentRoute,
  editCommentRoute,
  listCommentsRoute,
  listNotificationsRoute,
  listWatchedJobsRoute,
  restoreNotificationsRoute,
  unwatchJobRoute,
  watchJobRoute,
]);
