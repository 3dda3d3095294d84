export const logSettingPlatforms = ['Windows', 'Domain controllers', 'Linux', 'Cloud and identity', 'Network'] as const;

/** What a setting logs: records of a Windows channel, or of another log source as a census names it. */
export type LoggedRecords =
  | {
      readonly channel: string;
      readonly provider?: string;
      /** Event ids; the whole log where none are named. */
      readonly events?: readonly number[];
    }
  /** `type` is the type of an audit record. */
  | { readonly source: string; readonly type?: string };

/** Something that can be logged, and how. */
export interface LogSetting {
  readonly key: string;
  readonly title: string;
  readonly platform: (typeof logSettingPlatforms)[number];
  readonly logs: readonly LoggedRecords[];
  /** Step by step. */
  readonly how: readonly string[];
  /** Logged wherever its log is kept: nothing has to be switched on but its collection. */
  readonly isDefault?: true;
}
