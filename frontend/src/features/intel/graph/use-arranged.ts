import { useEffect, useRef, useState } from 'react';
import type { ArrangedGraph, GraphToArrange, Place } from './arrange-graph.ts';
import type { GraphModel } from './graph-model.ts';

export interface Arranged {
  readonly places: ReadonlyMap<number, Place>;
  readonly communities: ReadonlyMap<number, number>;
  readonly ranks: ReadonlyMap<number, number>;
  readonly modularity: number;
  readonly isFinal: boolean;
}

const none: Arranged = {
  places: new Map(),
  communities: new Map(),
  ranks: new Map(),
  modularity: 0,
  isFinal: false,
};

/**
 * Where the nodes of a graph go, from a worker. What has a place keeps it when the graph grows around a node; a graph
 * that is another one is arranged anew.
 * @param around - the node that was expanded last
 */
export function useArranged(model: GraphModel, around: number, isGrown: boolean): Arranged {
  const [arranged, setArranged] = useState(none);
  const known = useRef(none);
  const arranging = useRef<Worker | null>(null);
  useEffect(() => {
    const ids = [...model.nodes.keys()];
    if (ids.length === 0) return;
    const places = new Map(ids.map((id, place) => [id, place]));
    const before = known.current.places;
    const isAddition = isGrown && before.size > 0 && ids.some((id) => before.has(id));
    const asked: GraphToArrange = {
      nodes: ids.length,
      edges: model.edges.map(({ source, target, weight }) => [places.get(source)!, places.get(target)!, weight]),
      kept: isAddition ? { places: ids.map((id) => before.get(id) ?? null), around: places.get(around) ?? 0 } : null,
    };
    const worker = new Worker(new URL('./arrange-worker.ts', import.meta.url), { type: 'module' });
    arranging.current = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<ArrangedGraph>) => {
      known.current = {
        places: byId(ids, data.places),
        communities: byId(ids, data.communities),
        ranks: byId(ids, data.ranks),
        modularity: data.modularity,
        isFinal: data.isFinal,
      };
      setArranged(known.current);
      if (data.isFinal) worker.terminate();
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    worker.postMessage(asked);
    return () => worker.terminate();
  }, [model, around, isGrown]);
  useEffect(() => {
    if (arranged.places.size === 0 || arranged.isFinal) return;
    // The next picture takes all processors that there are: not before this one is drawn, in the frame after this.
    let frame = requestAnimationFrame(() => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
      frame = requestAnimationFrame(() => arranging.current?.postMessage(null));
    });
    return () => cancelAnimationFrame(frame);
  }, [arranged]);
  return arranged;
}

function byId<T>(ids: readonly number[], column: readonly T[]): ReadonlyMap<number, T> {
  return new Map(ids.map((id, place) => [id, column[place]!]));
}
