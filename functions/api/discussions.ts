import { addComment } from '@svc/application/discussions/add-comment.ts';
import { deleteComment } from '@svc/application/discussions/delete-comment.ts';
import { editComment } from '@svc/application/discussions/edit-comment.ts';
import { listComments } from '@svc/application/discussions/list-comments.ts';
import { acknowledgeNotification } from '@svc/application/discussions/acknowledge-notification.ts';
import { acknowledgeNotifications } from '@svc/application/discussions/acknowledge-notifications.ts';
import { countNotifications } from '@svc/application/discussions/count-notifications.ts';
import { listNotifications } from '@svc/application/discussions/list-notifications.ts';
import { restoreNotifications } from '@svc/application/discussions/restore-notifications.ts';
import { acknowledgeWatchedJob } from '@svc/application/discussions/acknowledge-watched-job.ts';
import { listWatchedJobs } from '@svc/application/discussions/list-watched-jobs.ts';
import { unwatchJob } from '@svc/application/discussions/unwatch-job.ts';
import { watchJob } from '@svc/application/discussions/watch-job.ts';
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
