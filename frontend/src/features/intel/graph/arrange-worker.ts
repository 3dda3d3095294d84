import { arrangeGraph, type ArrangedGraph, type GraphToArrange } from './arrange-graph.ts';

let pictures: Iterator<ArrangedGraph> | undefined;

/** A graph is answered with its first picture, and null with the next one. */
addEventListener('message', ({ data }: MessageEvent<GraphToArrange | null>) => {
  if (data !== null) pictures = arrangeGraph(data, () => performance.now());
  const next = pictures?.next();
  if (next?.done === false) postMessage(next.value);
});
