import type { AlertMarkers } from '@svc/contracts';
import { tacticNow } from '@svc/domain';
import type { AlertIndex } from '../derivation-repository.ts';

const none: AlertMarkers = {
  starts: [],
  kind: [],
  counts: [],
  kinds: [],
  computers: [],
  tactics: [],
  resolution: 1,
};

/** The stored index as pages count with it; empty where there is none. */
export function alertMarkers(index: AlertIndex | null): AlertMarkers {
  if (index === null) return none;
  const { ts, k, n, keys, computers, res } = index;
  const tactics = [...new Set(keys.map(([, , , tactic]) => tacticNow(tactic)))];
  return {
    starts: [...ts],
    kind: [...k],
    counts: [...n],
    kinds: keys.map(([, , , tactic, computer, , finding]) => [finding, computer, tactics.indexOf(tacticNow(tactic))]),
    computers: [...computers],
    tactics,
    resolution: res,
  };
}
