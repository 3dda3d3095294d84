import { z } from 'zod';
import { Switch, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** Settings that administrators change on one page; `flag` and `count` say how a field is written. */
const fields = <F extends z.ZodType, C extends z.ZodType>(flag: F, count: (most: number) => C) => ({
  demo_mode: flag,
  builtin_rules_enabled: flag,
  parallel_execution: flag,
  max_upload_files: count(500),
  max_finding_details: count(10_000),
  show_mitre_heatmap: flag,
  show_event_timeline: flag,
  show_alert_timeline: flag,
  show_entities: flag,
  show_threat_detection: flag,
  show_process_tree: flag,
  render_markdown: flag,
  triage_custom_rules: flag,
  private_jobs_feed_intel: flag,
});

/** Settings of the whole site (service 2.21). */
export const SiteSettings = z.object(fields(z.boolean(), (most) => z.int().min(1).max(most)));
export type SiteSettings = z.output<typeof SiteSettings>;

const Count = (most: number) => wholeNumber(1, most);

/** A browser sends nothing for a box that is not ticked, but every other field. */
const Form = z.strictObject(fields(Switch.default(false), Count));

export const siteSettingOperations = {
  getSiteSettings: {
    area: 'admin',
    method: 'GET',
    path: '/admin/settings',
    summary: 'Settings of the whole site',
    access: 'admin',
    success: [200],
    output: SiteSettings,
    errors: [],
  },
  changeSiteSettings: {
    area: 'admin',
    method: 'POST',
    path: '/admin/settings',
    summary: 'Change settings, from the next request on: JSON those that it names, a form all of them',
    access: 'admin',
    confirmed: true,
    body: z.strictObject(fields(Switch, Count)).partial(),
    form: Form,
    success: [200],
    output: SiteSettings,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
