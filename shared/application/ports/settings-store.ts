/** Site settings (service 2.21), as far as they are used. */
export interface SiteSettings {
  readonly maxFindingDetails: number;
  readonly maxUploadFiles: number;
  readonly demoMode: boolean;
}

export interface SettingsStore {
  /** In force for this request. */
  current(): Promise<SiteSettings>;
}
