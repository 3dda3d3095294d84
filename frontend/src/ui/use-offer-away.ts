import { useKept } from './use-kept.ts';

/** Whether the offer of SigmaHQ's rules was put away in this browser. */
export function useOfferAway(): readonly [boolean, (isAway: boolean) => void] {
  return useKept('svc-offered-pack-away', false);
}
