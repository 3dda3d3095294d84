import { arrangeGraph, type GraphToArrange } from './arrange-graph.ts';

addEventListener('message', ({ data }: MessageEvent<GraphToArrange>) => {
  for (const arranged of arrangeGraph(data, () => performance.now())) postMessage(arranged);
});
