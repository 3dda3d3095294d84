import { uploadLeaseMs, type UploadAdmission, type UploadPlace } from '@svc/application/ports/upload-admission.ts';

/** The places of a single process. */
export class MemoryUploadAdmission implements UploadAdmission {
  readonly #places: number;
  readonly #taken = new Map<string, { readonly bytes: number; readonly until: number }>();

  constructor(places: number) {
    this.#places = places;
  }

  async hold({ id, bytes }: UploadPlace, availableBytes: number | null): Promise<'held' | 'busy' | 'low_space'> {
    const now = performance.now();
    for (const [lapsed, { until }] of this.#taken) if (until <= now) this.#taken.delete(lapsed);
    const others = [...this.#taken].filter(([other]) => other !== id);
    if (others.length >= this.#places) return 'busy';
    const reserved = others.reduce((sum, [, place]) => sum + place.bytes, 0);
    if (availableBytes !== null && reserved + bytes > availableBytes) return 'low_space';
    this.#taken.set(id, { bytes, until: now + uploadLeaseMs });
    return 'held';
  }

  async release(id: string): Promise<void> {
    this.#taken.delete(id);
  }
}
