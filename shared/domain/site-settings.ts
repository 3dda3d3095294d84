import type { ActivityCategory } from './activity.ts';

/** What administrators decide for the whole site (service 2.21); a setting is here once it has an effect. */
export interface SiteSettings {
  /** Matched events shown under each finding, and kept where a workflow's task does not say how many. */
  readonly maxFindingDetails: number;
  /** Files selectable together on the Submit page. */
  readonly maxUploadFiles: number;
  readonly showMitreHeatmap: boolean;
  readonly showEventTimeline: boolean;
  readonly showAlertTimeline: boolean;
  readonly showEntities: boolean;
  readonly showThreatDetection: boolean;
  readonly showProcessTree: boolean;
  /** Whether runs of AI providers can be started and are shown where there are none yet. */
  readonly showAiAnalysis: boolean;
  /** Whether what a run has sent is kept, and shown to administrators and who started it. */
  readonly showAiPrompt: boolean;
  /** Whether notes and comments are shown as Markdown; what is stored is the same either way. */
  readonly renderMarkdown: boolean;
  /** Whether visitors get all rules, and so their texts, for analyses in their browser; else only the shipped ones. */
  readonly triageCustomRules: boolean;
  /** Whether private jobs make entities, count for them and show how they are related; else they only link to those that are known. */
  readonly privateJobsFeedIntel: boolean;
  /** How what is on this site may be passed on, as TLP:AMBER; on top of every page. Empty for none. */
  readonly bannerMarking: string;
  /** What everybody should read beside it. */
  readonly bannerText: string;
  /** Read-only demonstration: no uploads. */
  readonly demoMode: boolean;
  /** Whether rules of the site run; what they have tagged keeps its tags either way. */
  readonly builtinRulesEnabled: boolean;
  /** Whether the tasks of a job run side by side. */
  readonly parallelExecution: boolean;
  /** Whether what people do is recorded; what was recorded stays either way. */
  readonly activityLogEnabled: boolean;
  /** Of these kinds alone; all of them where it is null or empty. */
  readonly activityCategories: readonly ActivityCategory[] | null;
  /** Stands in for `JOB_OUTPUT_RETENTION_DAYS`; null leaves that in force. */
  readonly jobOutputRetentionDaysOverride: number | null;
}

export const siteSettingDefaults: SiteSettings = {
  maxFindingDetails: 10,
  maxUploadFiles: 50,
  showMitreHeatmap: true,
  showEventTimeline: true,
  showAlertTimeline: true,
  showEntities: true,
  showThreatDetection: true,
  showProcessTree: true,
  showAiAnalysis: false,
  showAiPrompt: true,
  renderMarkdown: true,
  triageCustomRules: false,
  privateJobsFeedIntel: true,
  bannerMarking: '',
  bannerText: '',
  demoMode: false,
  builtinRulesEnabled: true,
  parallelExecution: false,
  activityLogEnabled: false,
  activityCategories: null,
  jobOutputRetentionDaysOverride: null,
};
