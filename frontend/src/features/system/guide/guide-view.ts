export interface GuideView {
  /** What the guide is searched for. */
  readonly q?: string;
}

/** Search parameters of the guide. */
export function guideView(search: Record<string, unknown>): GuideView {
  return typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {};
}
