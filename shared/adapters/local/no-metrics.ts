import type { Metrics } from '@svc/application/ports/metrics.ts';

/** Of a process that nobody asks. */
export const noMetrics: Metrics = {
  request: async () => undefined,
  text: async () => '# EOF\n',
};
