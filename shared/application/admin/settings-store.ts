import type { SiteSettings } from '@svc/domain';

/** Settings of the whole site, which every process goes by. */
export interface SettingsStore {
  /** In force now: a change by any process shows in the next call. */
  current(): Promise<SiteSettings>;
  /** Saves these and leaves the others as they are; resolves to all of them. */
  change(changes: Partial<SiteSettings>): Promise<SiteSettings>;
}
