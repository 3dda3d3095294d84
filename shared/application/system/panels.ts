import type { Analytics, JobDetail } from '@svc/contracts';
import { AppError, type SiteSettings } from '@svc/domain';

type Panels = JobDetail['panels'];

const names: Readonly<Record<keyof Panels, string>> = {
  mitre_heatmap: 'ATT&CK heatmap',
  event_timeline: 'hour histogram',
  alert_timeline: 'timeline of alerts',
  entities: 'list of entities',
  threat_detection: 'heuristic threat detection',
  process_tree: 'process tree',
};

/** Which parts of reports the site shows (service 2.21). */
export function panelsOf(settings: SiteSettings): Panels {
  return {
    mitre_heatmap: settings.showMitreHeatmap,
    event_timeline: settings.showEventTimeline,
    alert_timeline: settings.showAlertTimeline,
    entities: settings.showEntities,
    threat_detection: settings.showThreatDetection,
    process_tree: settings.showProcessTree,
  };
}

/** Throws `feature_off` for a part that the site does not show. */
export function requirePanel(settings: SiteSettings, panel: keyof Panels): void {
  if (panelsOf(settings)[panel]) return;
  throw new AppError('feature_off', `An administrator has switched off the ${names[panel]} for the whole site`);
}

/** What of the analytics belongs to which part of a report. */
export const panelContents = {
  mitre_heatmap: ['mitre_tactics'],
  event_timeline: ['timeline', 'timeline_tactics'],
  entities: [
    'users',
    'computers',
    'ip_addresses',
    'hashes',
    'executables',
    'domains',
    'cmdline_files',
    'services',
    'tasks',
    'frequent',
    'entities_truncated',
  ],
  threat_detection: ['threat_detection'],
} as const satisfies { readonly [P in keyof Panels]?: readonly (keyof Analytics)[] };

/** The analytics without what the site does not show: left out, as an empty list would say that nothing was found. */
export function shownAnalytics(analytics: Analytics, settings: SiteSettings): Analytics {
  const panels = panelsOf(settings);
  const hidden = new Set<string>();
  for (const [panel, keys] of Object.entries(panelContents)) {
    if (!panels[panel as keyof typeof panelContents]) for (const key of keys) hidden.add(key);
  }
  // All of these keys are optional.
  return Object.fromEntries(Object.entries(analytics).filter(([key]) => !hidden.has(key))) as Analytics;
}
