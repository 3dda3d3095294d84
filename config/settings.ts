/** Site settings (service 2.21) as far as they are used, with their defaults. */
export const siteSettingDefaults = {
  /** Matched events kept and shown under each finding. */
  maxFindingDetails: 10,
  /** Files selectable together on the Submit page. */
  maxUploadFiles: 50,
  /** Read-only demonstration: no uploads. */
  demoMode: false,
} as const;
