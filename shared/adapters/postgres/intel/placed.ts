import type { EntityPart } from '@svc/application/intel/entity-links.ts';

/** Where a part of so many stands: past the end, the last one. */
export function placed({ page, per }: EntityPart, counted: number | undefined) {
  const total = counted ?? 0;
  const shown = Math.min(page, Math.max(1, Math.ceil(total / per)));
  return { page: shown, offset: (shown - 1) * per, total };
}
