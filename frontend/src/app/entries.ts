import { IconBook2, IconListSearch, IconUpload } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { paths } from '../paths.ts';

export interface Entry {
  readonly label: string;
  readonly to: typeof paths.submit | typeof paths.jobs | typeof paths.guide;
  readonly icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>;
}

/** Pages of the rail, top group; a page is listed when it exists. */
export const workEntries: readonly Entry[] = [
  { label: 'Submit', to: paths.submit, icon: IconUpload },
  { label: 'Jobs', to: paths.jobs, icon: IconListSearch },
];

/** Pages of the rail, bottom group. */
export const helpEntries: readonly Entry[] = [{ label: 'Guide', to: paths.guide, icon: IconBook2 }];
