import * as domain from '@svc/domain';
import * as engine from '@svc/engine';
import { expect, it } from 'vitest';

// The engine imports nothing of ours, so it has these lists for itself.
it('has the same log types and severities in the engine and in the domain', () => {
  expect(engine.logTypes).toEqual(domain.logTypes);
  expect(engine.severities).toEqual(domain.severities);
});
