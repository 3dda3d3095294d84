import { activityCategories } from '@svc/domain';
import { z } from 'zod';
import { Switch, wholeNumber } from '../fields.ts';
import type { Operation } from '../operation.ts';

/** Characters of what stands on top of every page. */
export const bannerLimits = { marking: 40, text: 200 } as const;

/** Settings that administrators change on one page; the parameters say how a field is written. */
const fields = <F extends z.ZodType, C extends z.ZodType, K extends z.ZodType, L extends z.ZodType>(
  flag: F,
  count: (most: number) => C,
  kinds: K,
  line: (most: number) => L,
) => ({
  /** As TLP:AMBER; empty for none. */
  banner_marking: line(bannerLimits.marking),
  banner_text: line(bannerLimits.text),
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
  show_ai_analysis: flag,
  show_ai_prompt: flag,
  render_markdown: flag,
  triage_custom_rules: flag,
  private_jobs_feed_intel: flag,
  activity_log_enabled: flag,
  /** Null for all. */
  activity_categories: kinds,
});

/** Settings of the whole site (service 2.21). */
export const SiteSettings = z.object(
  fields(
    z.boolean(),
    (most) => z.int().min(1).max(most),
    z.array(z.enum(activityCategories)).nullable(),
    () => z.string(),
  ),
);
export type SiteSettings = z.output<typeof SiteSettings>;

/** The settings with what helps to decide about them (resolved-platform 16.3). */
export const SettingsForm = SiteSettings.extend({
  /** Of hosts whose analyses may want more cores than there are, as `host: peak 12 > 8 cores`. */
  parallel_risk: z.array(z.string()),
  categories: z.array(z.object({ category: z.enum(activityCategories), actions: z.string() })),
});
export type SettingsForm = z.output<typeof SettingsForm>;

const Count = (most: number) => wholeNumber(1, most);
/** A list, or names with commas between them; unknown ones are left out (resolved-platform 17). */
const Kinds = z
  .union([z.array(z.string()), z.string().transform((names) => names.split(',')), z.null()], {
    error: 'must be names of kinds, as a list or with commas between them, or null for all',
  })
  .transform((names) => {
    const known = activityCategories.filter((one) => names?.some((name) => name.trim() === one));
    return known.length === 0 ? null : known;
  });

/** One line, without what a terminal or a page would act on. */
const Line = (most: number) =>
  z
    .string()
    .transform((text) => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim())
    .pipe(z.string().max(most));

/** A browser sends nothing for a box that is not ticked, but every other field. */
const Form = z.strictObject(
  fields(Switch.default(false), Count, Kinds.prefault(null), (most) => Line(most).prefault('')),
);

export const siteSettingOperations = {
  getSiteSettings: {
    area: 'admin',
    method: 'GET',
    path: '/admin/settings',
    summary: 'Settings of the whole site',
    access: 'admin',
    success: [200],
    output: SettingsForm,
    errors: [],
  },
  changeSiteSettings: {
    area: 'admin',
    method: 'POST',
    path: '/admin/settings',
    summary: 'Change settings, from the next request on: JSON those that it names, a form all of them',
    access: 'admin',
    confirmed: true,
    body: z.strictObject(fields(Switch, Count, Kinds, Line)).partial(),
    form: Form,
    success: [200],
    output: SettingsForm,
    errors: [],
  },
} as const satisfies Record<string, Operation>;
