import {
  IconAdjustments,
  IconChecklist,
  IconCpu,
  IconDatabase,
  IconEye,
  IconGauge,
  IconHistory,
  IconKey,
  IconListDetails,
  IconLogin2,
  IconPackages,
  IconServer,
  IconSparkles,
  IconTags,
  IconUserCircle,
  IconUsers,
  IconWorldSearch,
} from '@tabler/icons-react';
import { paths } from '../paths.ts';
import { helpEntries, intelEntriesFor, workEntriesFor, type Entry, type Viewer } from './entries.ts';

/** Pages for administrators, which the rail leads to as one. */
export const adminEntries: readonly Entry[] = [
  { label: 'Dashboard', to: paths.dashboard, icon: IconGauge },
  { label: 'Users', to: paths.users, icon: IconUsers },
  { label: 'API tokens', to: paths.apiTokens, icon: IconKey },
  { label: 'Rule packs', to: paths.rulePacks, icon: IconPackages },
  { label: 'AI providers', to: paths.aiProviders, icon: IconSparkles },
  { label: 'Workflows', to: paths.workflows, icon: IconListDetails },
  { label: 'Engines', to: paths.engines, icon: IconCpu },
  { label: 'Enrichment', to: paths.enrichment, icon: IconWorldSearch },
  { label: 'Tasks', to: paths.tasks, icon: IconChecklist },
  { label: 'Workers', to: paths.workers, icon: IconServer },
  { label: 'Storage', to: paths.storage, icon: IconDatabase },
  { label: 'Activity', to: paths.activity, icon: IconHistory },
  { label: 'Settings', to: paths.settings, icon: IconAdjustments },
];

/** Reached from the entities, whose tags they are. */
const tagsEntry: Entry = { label: 'Tags', to: paths.tags, icon: IconTags };
const watchingEntry: Entry = { label: 'Watched jobs', to: paths.watching, icon: IconEye };
const accountEntry: Entry = { label: 'Account', to: paths.account, icon: IconUserCircle };
const signInEntry: Entry = { label: 'Sign in', to: paths.login, icon: IconLogin2 };

/** Pages that are for administrators; none for others. */
export function adminEntriesFor(viewer: Viewer): readonly Entry[] {
  return viewer?.role === 'admin' ? adminEntries : [];
}

/** Every page that this viewer may open. */
export function entriesFor(viewer: Viewer): readonly Entry[] {
  const own = viewer === undefined ? [] : viewer === null ? [signInEntry] : [watchingEntry, accountEntry];
  const intel = intelEntriesFor(viewer);
  const tags = intel.length === 0 ? [] : [tagsEntry];
  return [...workEntriesFor(viewer), ...intel, ...tags, ...adminEntriesFor(viewer), ...helpEntries, ...own];
}
