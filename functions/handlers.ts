import type { Area } from '@svc/contracts';
import { handler as admin } from './api/admin.ts';
import { handler as ai } from './api/ai.ts';
import { handler as alerts } from './api/alerts.ts';
import { handler as auth } from './api/auth.ts';
import { handler as cases } from './api/cases.ts';
import { handler as discussions } from './api/discussions.ts';
import { handler as feeds } from './api/feeds.ts';
import { handler as intel } from './api/intel.ts';
import { handler as jobs } from './api/jobs.ts';
import { handler as report } from './api/report.ts';
import { handler as rules } from './api/rules.ts';
import { handler as submissions } from './api/submissions.ts';
import { handler as system } from './api/system.ts';
import { handler as tags } from './api/tags.ts';
import type { HttpHandler } from './http-event.ts';

/** The functions of all areas, for a process that answers for all of them. */
export const handlers = {
  admin,
  ai,
  alerts,
  auth,
  cases,
  discussions,
  feeds,
  intel,
  jobs,
  report,
  rules,
  submissions,
  system,
  tags,
} satisfies Record<Area, HttpHandler>;
