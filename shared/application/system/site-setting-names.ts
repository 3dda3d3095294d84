import type { SiteSettings as Sent } from '@svc/contracts';
import type { SiteSettings } from '@svc/domain';

/** Names of settings as they are sent, and as the code has them. */
const names = {
  banner_marking: 'bannerMarking',
  banner_text: 'bannerText',
  demo_mode: 'demoMode',
  builtin_rules_enabled: 'builtinRulesEnabled',
  parallel_execution: 'parallelExecution',
  max_upload_files: 'maxUploadFiles',
  max_finding_details: 'maxFindingDetails',
  show_mitre_heatmap: 'showMitreHeatmap',
  show_event_timeline: 'showEventTimeline',
  show_alert_timeline: 'showAlertTimeline',
  show_entities: 'showEntities',
  show_threat_detection: 'showThreatDetection',
  show_process_tree: 'showProcessTree',
  show_ai_analysis: 'showAiAnalysis',
  show_ai_prompt: 'showAiPrompt',
  render_markdown: 'renderMarkdown',
  triage_custom_rules: 'triageCustomRules',
  private_jobs_feed_intel: 'privateJobsFeedIntel',
  activity_log_enabled: 'activityLogEnabled',
  activity_categories: 'activityCategories',
} as const satisfies Record<keyof Sent, keyof SiteSettings>;

const pairs = Object.entries(names) as [keyof Sent, (typeof names)[keyof Sent]][];

/** What administrators are shown. */
export function presentSettings(settings: SiteSettings): Sent {
  // Each name stands for a setting of the same type.
  return Object.fromEntries(pairs.map(([sent, own]) => [sent, settings[own]])) as Sent;
}

/** The settings that were sent, under the names of the code. */
export function settingsOf(sent: { readonly [K in keyof Sent]?: Sent[K] | undefined }): Partial<SiteSettings> {
  const given = pairs.filter(([name]) => sent[name] !== undefined);
  return Object.fromEntries(given.map(([name, own]) => [own, sent[name]]));
}
