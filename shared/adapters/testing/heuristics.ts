import { Deriver, joinDerived } from '@svc/engine/testing';
import { join } from 'node:path';
import { readDeriveConfig } from '../local/derive-config.ts';
import { projectRoot } from '../machine/project-root.ts';

/** The heuristics as they are shipped. */
export interface Heuristics {
  /** Names of their regular expressions. */
  readonly patterns: readonly string[];
  /** `category TAG severity` of what they find in an event of one field. */
  readonly found: (field: string, value: string) => string[];
  /** The tags alone. */
  readonly tags: (field: string, value: string) => string[];
}

export const shippedDeriveFiles = {
  analyticsFields: join(projectRoot(), 'config/analytics_fields.yaml'),
  threatDetection: join(projectRoot(), 'config/threat_detection.yaml'),
};

export async function openHeuristics(): Promise<Heuristics> {
  const options = { ...(await readDeriveConfig(shippedDeriveFiles)), groups: [] };
  const event = { recordId: null, timestamp: null, computer: null, channel: null, eventId: null };
  const indicators = (field: string, value: string) => {
    const deriver = new Deriver(options);
    deriver.add(event, { [field]: value }, [], 1);
    const { categories } = joinDerived(options, [deriver.result()]).threats;
    return Object.entries(categories).flatMap(([key, category]) =>
      category.indicators.map(({ tag, severity }) => ({ key, tag, severity })),
    );
  };
  return {
    patterns: options.threats.flatMap(({ checks }) =>
      checks.flatMap((check) => (check.type === 'regex' ? check.patterns.map(({ name }) => name) : [])),
    ),
    found: (field, value) => indicators(field, value).map(({ key, tag, severity }) => `${key} ${tag} ${severity}`),
    tags: (field, value) => indicators(field, value).map(({ tag }) => tag),
  };
}
