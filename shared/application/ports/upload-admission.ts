/** One upload in progress, whose it is, and how much room the rest of it needs in the store. */
export interface UploadPlace {
  readonly id: string;
  readonly bytes: number;
  readonly holder: UploadHolder;
}

/** Who has the places of uploads: an account, wherever it sends from, or a network that visitors come from. */
export type UploadHolder = `account:${string}` | `network:${string}`;

/** How long a place stays taken after its upload was last heard of. */
export const uploadLeaseMs = 60_000;
/** How long somebody who was refused a place counts as waiting: a little longer than the `Retry-After` that they got. */
export const uploadWaitMs = 15_000;

/** How places are shared out: to each holder so many at most, and to all visitors together. */
export function uploadShares(places: number): { readonly each: number; readonly visitors: number } {
  const kept = places > 1 ? Math.ceil(places / 4) : 0;
  return { each: Math.max(1, Math.floor(places / 2)), visitors: places - kept };
}

/**
 * `held`, or `wanted`: held while somebody else waits for a place. Else refused: `share` when the holder has as many
 * places as one may have, `busy` when no place is free for them, `low_space` when there is no room.
 */
export type UploadHolding = 'held' | 'wanted' | 'share' | 'busy' | 'low_space';

/** The places for uploads in progress, one set for all processes that receive them (resolved-platform 10.1). */
export interface UploadAdmission {
  /**
   * Takes a place for `uploadLeaseMs` within the holder's share, or extends the one that this id has; `low_space`
   * when what others reserve and this one's bytes exceed `availableBytes` (null: no bound). Who is `busy` waits, for
   * `uploadWaitMs` or until the next place is given. Throws `coordination_down` when nobody can be asked.
   */
  hold(place: UploadPlace, availableBytes: number | null): Promise<UploadHolding>;
  /** Gives a place back; one that was lost or given back before is no error. */
  release(id: string): Promise<void>;
}
