import {
  IconAdjustments,
  IconEye,
  IconKey,
  IconLogin2,
  IconPackages,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import { paths } from '../paths.ts';
import { helpEntries, intelEntriesFor, workEntries, type Entry, type Viewer } from './entries.ts';

/** Pages for administrators, which the rail leads to as one. */
export const adminEntries: readonly Entry[] = [
  { label: 'Users', to: paths.users, icon: IconUsers },
  { label: 'API tokens', to: paths.apiTokens, icon: IconKey },
  { label: 'Rule packs', to: paths.rulePacks, icon: IconPackages },
  { label: 'Settings', to: paths.settings, icon: IconAdjustments },
];

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
  return [...workEntries, ...intelEntriesFor(viewer), ...adminEntriesFor(viewer), ...helpEntries, ...own];
}
