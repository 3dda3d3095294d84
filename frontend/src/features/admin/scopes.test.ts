import { scopes } from '@svc/domain';
import { expect, it } from 'vitest';
import { scopesByUse, tryLine } from './scopes.ts';

it('offers every scope', () => {
  expect([...scopesByUse].sort()).toEqual([...scopes].sort());
});

it('shows a line that the scopes allow', () => {
  const origin = 'https://svc.example.org';
  expect(tryLine('t0ken', ['job:read', 'job:submit'], origin)).toBe(
    "curl -H 'Authorization: Bearer t0ken' \\\n  -F workflow_id=1 -F file=@Security.evtx \\\n  https://svc.example.org/api/v1/jobs",
  );
  expect(tryLine('t0ken', ['job:read'], origin)).toMatch(/'https:\/\/svc\.example\.org\/api\/v1\/jobs\?ids=1'$/);
  expect(tryLine('t0ken', ['taxii:read'], origin)).toBeNull();
});
