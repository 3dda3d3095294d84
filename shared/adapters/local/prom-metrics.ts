import type { Durations, Figure, Metrics } from '@svc/application/ports/metrics.ts';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type Metric } from 'prom-client';

/** The library's types know one content type of registries that metrics are put into, and its code all. */
function newRegistry(): Registry {
  const registry = new Registry();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as typeof Registry.PROMETHEUS_CONTENT_TYPE);
  return registry;
}

/** Counts of this process, by Prometheus' own client for Node.js. */
export class PromMetrics implements Metrics {
  readonly #registry = newRegistry();
  readonly #requests = new Counter({
    name: 'svc_http_requests',
    help: 'Requests that this process has answered.',
    labelNames: ['operation', 'code'],
    registers: [this.#registry],
  });
  readonly #durations = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'How long this process took to answer, without what is streamed.',
    labelNames: ['area'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  async request({ operation, area, status, seconds }: Parameters<Metrics['request']>[0]): Promise<void> {
    this.#requests.inc({ operation, code: `${Math.floor(status / 100)}xx` });
    this.#durations.observe({ area }, seconds);
  }

  text(figures: readonly (Figure | Durations)[]): Promise<string> {
    const told = newRegistry();
    for (const figure of figures) {
      if (figure.type === 'histogram') told.registerMetric(countedElsewhere(figure));
      else tell(told, figure);
    }
    return Registry.merge([this.#registry, told]).metrics();
  }
}

function tell(registry: Registry, { name, help, type, samples }: Figure): void {
  const labelNames = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))];
  const metric = new (type === 'counter' ? Counter : Gauge)({ name, help, labelNames, registers: [registry] });
  for (const { labels, value } of samples) metric.inc({ ...labels }, value);
}

/** A histogram that others have counted: the library's own takes one observation at a time. */
function countedElsewhere({ name, help, bounds, samples }: Durations): Metric {
  const values = samples.flatMap(({ labels, counts, total, seconds }) => {
    let sum = 0;
    const upTo = bounds.map((bound, place) => {
      sum += counts[place] ?? 0;
      return { metricName: `${name}_bucket`, labels: { ...labels, le: canonical(bound) }, value: sum };
    });
    return [
      ...upTo,
      { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: total },
      { metricName: `${name}_sum`, labels, value: seconds },
      { metricName: `${name}_count`, labels, value: total },
    ];
  });
  const told = { name, help, type: 'histogram', get: async () => ({ name, help, type: 'histogram', values }) };
  // All that a registry asks of a metric.
  return told as unknown as Metric;
}

/** A bound as OpenMetrics asks for it, so that series of two programs are the same (OpenMetrics 1.0, “Canonical numbers”). */
function canonical(bound: number): string {
  return Number.isInteger(bound) ? bound.toFixed(1) : String(bound);
}
