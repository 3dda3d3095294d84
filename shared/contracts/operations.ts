import { adminOperations } from './admin.ts';
import { authOperations } from './auth.ts';
import { caseOperations } from './cases.ts';
import { discussionOperations } from './discussions.ts';
import { findingOperations } from './findings.ts';
import { jobLifeOperations } from './job-life.ts';
import { jobOperations } from './jobs.ts';
import { relatedJobOperations } from './related-jobs.ts';
import { reportOperations } from './report.ts';
import { ruleOperations } from './rules.ts';
import { siteSettingOperations } from './site-settings.ts';
import { submissionOperations } from './submissions.ts';
import { systemOperations } from './system.ts';
import { tagOperations } from './tags.ts';
import { triageOperations } from './triage.ts';
import { uploadOperations } from './uploads.ts';

/** Every operation of the service. An operation has one name in every layer: this key. */
export const operations = {
  ...submissionOperations,
  ...uploadOperations,
  ...jobOperations,
  ...findingOperations,
  ...reportOperations,
  ...relatedJobOperations,
  ...jobLifeOperations,
  ...caseOperations,
  ...tagOperations,
  ...discussionOperations,
  ...ruleOperations,
  ...triageOperations,
  ...authOperations,
  ...adminOperations,
  ...siteSettingOperations,
  ...systemOperations,
} as const;

export type OperationName = keyof typeof operations;
