import { loadTrial } from '@svc/engine';
import { expect, it } from 'vitest';
import { editorView } from './editor-view.ts';
import { copyOf, newRule } from './rule-draft.ts';

it('begins with a rule that loads', () => {
  const trial = loadTrial(newRule('Ann "A." Doe: admin', '2026-11-21'));
  expect(trial).toMatchObject({ rejected: [], warnings: [], rules: [{ id: null, level: 'medium' }] });
});

it('copies a rule with where it is from, and without its id', () => {
  const source = 'title: A\nid: 2f3c1a10-0000-4000-8000-000000000001\nstatus: test\n';
  expect(copyOf(source, 'x')).toBe('title: A\nrelated:\n    - id: x\n      type: derived\nstatus: test\n');
  const related = `${source}related:\n    - id: y\n      type: similar`;
  expect(copyOf(related, 'x')).toBe('title: A\nstatus: test\nrelated:\n    - id: y\n      type: similar\n');
});

it('reads which rule to begin with from the address', () => {
  expect(editorView({ pack: 'core', rule: 'a', more: 1 })).toEqual({ pack: 'core', rule: 'a' });
  expect(editorView({ pack: 'core' })).toEqual({});
});
