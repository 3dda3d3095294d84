type FlatScalar = string | number | boolean | null;
export type FlatValue = FlatScalar | readonly FlatScalar[];

/** A Windows record as plain names and values, as another program's output gives it. */
export interface FlatRecord {
  readonly channel: string;
  readonly provider: string;
  readonly eventId: number;
  readonly system: Readonly<Record<string, FlatValue>>;
  /** EventData or UserData; a list is a name that repeats. */
  readonly data: Readonly<Record<string, FlatValue>>;
}
