import { bannerLimits, type SiteSettings } from '@svc/contracts';

type Name = keyof SiteSettings;

/** A setting as the page words it; a count has its range, a text its length. */
export interface SettingText {
  readonly name: Name;
  readonly label: string;
  /** What becomes different by it, for whom and since when. */
  readonly consequence: string;
  readonly most?: number;
  /** What a text could be. */
  readonly example?: string;
}

/** Every setting, in the groups of the page. */
export const settingGroups: readonly (readonly [title: string, about: string, settings: readonly SettingText[]])[] = [
  [
    'Banner',
    'What everybody reads on top of every page, visitors as well, and on printed reports.',
    [
      {
        name: 'banner_marking',
        label: 'Marking',
        consequence:
          'How what is here may be passed on, in a few words. Labels of the Traffic Light Protocol have its colours. Empty for none.',
        most: bannerLimits.marking,
        example: 'TLP:AMBER',
      },
      {
        name: 'banner_text',
        label: 'Text',
        consequence: 'One line beside the marking, such as whose site this is or when it will be away. Empty for none.',
        most: bannerLimits.text,
      },
    ],
  ],
  [
    'Submissions',
    'Who may send logs, and how many at a time.',
    [
      {
        name: 'demo_mode',
        label: 'Read-only demonstration',
        consequence:
          'When on, nobody can submit or preview a file, analyse one again or create a case; the Submit page says so. Everything that is here can still be read.',
      },
      {
        name: 'max_upload_files',
        label: 'Files in one selection',
        consequence:
          'Files that can be chosen together on the Submit page, from when that page is loaded again. Scripts, quotas and transfers at a time are not affected.',
        most: 500,
      },
      {
        name: 'triage_custom_rules',
        label: 'All rules for visitors’ browsers',
        consequence:
          'An analysis in the browser downloads its rules, and whoever has them can read them. When off, visitors get those that ship with the service, and only people who are signed in get the packs that you have imported or written.',
      },
    ],
  ],
  [
    'Analyses',
    'How workers go about a job.',
    [
      {
        name: 'parallel_execution',
        label: 'Tasks side by side',
        consequence:
          'When on, the tasks of a workflow run at the same time, as many as TOOL_MAX_WORKERS allows, in jobs that begin from now on. Each takes memory of its own; the findings are the same.',
      },
      {
        name: 'builtin_rules_enabled',
        label: 'Shared alert rules',
        consequence:
          'When off, shared alert rules tag and tell nothing of jobs that end from now on; tags that they have given stay, and everybody’s own rules run on.',
      },
    ],
  ],
  [
    'Reports',
    'What the page of a job shows. A part that is off is not served, to scripts neither, but for the downloads of administrators; it is still derived, so that switching it on again shows it for all jobs.',
    [
      {
        name: 'show_mitre_heatmap',
        label: 'ATT&CK heatmap',
        consequence: 'When off, the strip of tactics above the findings and the Navigator layer are gone.',
      },
      {
        name: 'show_event_timeline',
        label: 'Hour histogram',
        consequence: 'When off, reports do not say how many matched events each hour had.',
      },
      {
        name: 'show_alert_timeline',
        label: 'Timeline',
        consequence: 'When off, the zoomable timeline of alerts is gone, and its data is refused.',
      },
      {
        name: 'show_process_tree',
        label: 'Process tree',
        consequence: 'When off, the tree of processes is gone, and its data is refused.',
      },
      {
        name: 'show_threat_detection',
        label: 'Heuristics',
        consequence: 'When off, what the heuristics found is shown nowhere; findings of rules stay.',
      },
      {
        name: 'show_entities',
        label: 'Entities',
        consequence: 'When off, reports do not list the users, hosts, addresses and files that events name.',
      },
      {
        name: 'max_finding_details',
        label: 'Matched events under a finding',
        consequence:
          'A smaller number shows less of every report at once. A larger one also keeps more, in analyses from now on; each event kept takes space.',
        most: 10_000,
      },
    ],
  ],
  [
    'Entities',
    'What logs name, shared by all members.',
    [
      {
        name: 'private_jobs_feed_intel',
        label: 'Private jobs feed entities',
        consequence:
          'When on, members see that a value exists and how many jobs name it, private ones included. When off, private jobs from then on make no entity, count for none and add no relationship: they are only linked, for those who see them, to what other jobs name. Jobs of before follow when an administrator stores entities anew.',
      },
    ],
  ],
  [
    'AI analysis',
    'What models of AI providers write about jobs and cases.',
    [
      {
        name: 'show_ai_analysis',
        label: 'AI analysis',
        consequence:
          'When on, members can have a model of a provider analyse a job or a case, which sends findings and names out of it to that provider. When off, no run is started and those that wait end; what was written stays and is shown.',
      },
      {
        name: 'show_ai_prompt',
        label: 'Keep what was sent',
        consequence:
          'When on, what each run sends from then on is kept, for administrators and whoever started it. When off, it is no longer kept, and what was is hidden.',
      },
    ],
  ],
  [
    'Discussions',
    'How comments are shown.',
    [
      {
        name: 'render_markdown',
        label: 'Markdown',
        consequence:
          'When off, comments are shown as they were typed. What is stored is the same either way, and HTML in it is never run.',
      },
    ],
  ],
  [
    'Activity',
    'What is recorded of what people do, for administrators to read.',
    [
      {
        name: 'activity_log_enabled',
        label: 'Activity log',
        consequence:
          'When on, sign-ins, changes of accounts and settings, what happens to jobs and in Intel, and every export are recorded with who did it, from which address and when; never what somebody wrote, nor a secret. What was recorded stays when it is switched off.',
      },
      {
        name: 'activity_categories',
        label: 'What is recorded',
        consequence: 'Of the kinds that are chosen alone, from then on; of all kinds where none is chosen.',
      },
    ],
  ],
];
