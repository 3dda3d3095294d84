import type { Me } from '@svc/contracts';
import { reaches } from '@svc/domain';
import {
  IconBell,
  IconTarget,
  IconBook2,
  IconFolders,
  IconListDetails,
  IconListSearch,
  IconRss,
  IconUpload,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { paths } from '../paths.ts';

export interface Entry {
  readonly label: string;
  readonly to: Exclude<
    (typeof paths)[keyof typeof paths],
    | typeof paths.job
    | typeof paths.batch
    | typeof paths.entity
    | typeof paths.case
    | typeof paths.packRules
    | typeof paths.runningRules
    | typeof paths.workflow
  >;
  readonly icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>;
}

const workEntries: readonly Entry[] = [
  { label: 'Submit', to: paths.submit, icon: IconUpload },
  { label: 'Jobs', to: paths.jobs, icon: IconListSearch },
];

const intelEntries: readonly Entry[] = [
  { label: 'Entities', to: paths.entities, icon: IconTarget },
  { label: 'Alert rules', to: paths.alertRules, icon: IconBell },
  { label: 'Rules', to: paths.rules, icon: IconListDetails },
  { label: 'Feeds', to: paths.feeds, icon: IconRss },
];

const casesEntry: Entry = { label: 'Cases', to: paths.cases, icon: IconFolders };

/** Pages of the rail, bottom group. */
export const helpEntries: readonly Entry[] = [{ label: 'Guide', to: paths.guide, icon: IconBook2 }];

/** Whoever looks at the page: an account, a visitor (null), or not known yet. */
export type Viewer = Me | null | undefined;

/** Pages of the rail that work is done on; cases are for members. */
export function workEntriesFor(viewer: Viewer): readonly Entry[] {
  return isMember(viewer) ? [...workEntries, casesEntry] : workEntries;
}

function isMember(viewer: Viewer): boolean {
  return viewer ? reaches(viewer.role, 'member') : false;
}

/** Pages of the rail about what is known beside single logs; none for who may not read it. */
export function intelEntriesFor(viewer: Viewer): readonly Entry[] {
  return isMember(viewer) ? intelEntries : [];
}
