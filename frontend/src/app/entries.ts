import type { Me } from '@svc/contracts';
import {
  IconAdjustments,
  IconBook2,
  IconEye,
  IconKey,
  IconListSearch,
  IconLogin2,
  IconPackages,
  IconUpload,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { paths } from '../paths.ts';

export interface Entry {
  readonly label: string;
  readonly to: Exclude<(typeof paths)[keyof typeof paths], typeof paths.job | typeof paths.packRules>;
  readonly icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>;
}

/** Pages of the rail, top group; a page is listed when it exists. */
export const workEntries: readonly Entry[] = [
  { label: 'Submit', to: paths.submit, icon: IconUpload },
  { label: 'Jobs', to: paths.jobs, icon: IconListSearch },
];

/** Pages of the rail, bottom group. */
export const helpEntries: readonly Entry[] = [{ label: 'Guide', to: paths.guide, icon: IconBook2 }];

const adminEntries: readonly Entry[] = [
  { label: 'Users', to: paths.users, icon: IconUsers },
  { label: 'API tokens', to: paths.apiTokens, icon: IconKey },
  { label: 'Rule packs', to: paths.rulePacks, icon: IconPackages },
  { label: 'Settings', to: paths.settings, icon: IconAdjustments },
];

const watchingEntry: Entry = { label: 'Watched jobs', to: paths.watching, icon: IconEye };
const accountEntry: Entry = { label: 'Account', to: paths.account, icon: IconUserCircle };
const signInEntry: Entry = { label: 'Sign in', to: paths.login, icon: IconLogin2 };

/** Whoever looks at the page: an account, a visitor (null), or not known yet. */
export type Viewer = Me | null | undefined;

/** Pages of the rail that are for administrators; none for others. */
export function adminEntriesFor(viewer: Viewer): readonly Entry[] {
  return viewer?.role === 'admin' ? adminEntries : [];
}

/** Every page that this viewer may open. */
export function entriesFor(viewer: Viewer): readonly Entry[] {
  const own = viewer === undefined ? [] : viewer === null ? [signInEntry] : [watchingEntry, accountEntry];
  return [...workEntries, ...adminEntriesFor(viewer), ...helpEntries, ...own];
}
