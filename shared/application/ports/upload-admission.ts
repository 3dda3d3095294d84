/** One upload in progress, and how much room the rest of it needs in the store. */
export interface UploadPlace {
  readonly id: string;
  readonly bytes: number;
}

/** How long a place stays taken after its upload was last heard of. */
export const uploadLeaseMs = 60_000;

/** The places for uploads in progress, one set for all processes that receive them (resolved-platform 10.1). */
export interface UploadAdmission {
  /**
   * Takes a place for `uploadLeaseMs`, or extends the one that this id has: `busy` when all are
   * taken by others, `low_space` when what others reserve and this one's bytes exceed
   * `availableBytes` (null: no bound). Throws `coordination_down` when nobody can be asked.
   */
  hold(place: UploadPlace, availableBytes: number | null): Promise<'held' | 'busy' | 'low_space'>;
  /** Gives a place back; one that was lost or given back before is no error. */
  release(id: string): Promise<void>;
}
