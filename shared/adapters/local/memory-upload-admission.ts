import {
  uploadLeaseMs,
  uploadShares,
  uploadWaitMs,
  type UploadAdmission,
  type UploadHolder,
  type UploadHolding,
  type UploadPlace,
} from '@svc/application/ports/upload-admission.ts';

/** The places of a single process. */
export class MemoryUploadAdmission implements UploadAdmission {
  readonly #places: number;
  readonly #taken = new Map<string, UploadPlace & { readonly until: number }>();
  #wantedUntil = 0;

  constructor(places: number) {
    this.#places = places;
  }

  async hold(place: UploadPlace, availableBytes: number | null): Promise<UploadHolding> {
    const now = performance.now();
    for (const [lapsed, { until }] of this.#taken) if (until <= now) this.#taken.delete(lapsed);
    const isNew = !this.#taken.has(place.id);
    const refusal = isNew && this.#refusal(place.holder);
    if (refusal === 'busy') this.#wantedUntil = now + uploadWaitMs;
    if (refusal) return refusal;
    const others = [...this.#taken.values()].filter(({ id }) => id !== place.id);
    const reserved = others.reduce((sum, { bytes }) => sum + bytes, 0);
    if (availableBytes !== null && reserved + place.bytes > availableBytes) return 'low_space';
    this.#taken.set(place.id, { ...place, until: now + uploadLeaseMs });
    if (isNew) this.#wantedUntil = 0;
    return this.#wantedUntil > now ? 'wanted' : 'held';
  }

  async release(id: string): Promise<void> {
    this.#taken.delete(id);
  }

  #refusal(holder: UploadHolder): 'share' | 'busy' | null {
    const holders = [...this.#taken.values()].map((taken) => taken.holder);
    const { each, visitors } = uploadShares(this.#places);
    if (holders.filter((other) => other === holder).length >= each) return 'share';
    if (holders.length >= this.#places) return 'busy';
    return isVisitor(holder) && holders.filter(isVisitor).length >= visitors ? 'busy' : null;
  }
}

function isVisitor(holder: UploadHolder): boolean {
  return holder.startsWith('network:');
}
