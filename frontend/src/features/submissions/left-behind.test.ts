import { describe, expect, it } from 'vitest';
import { leftBehind } from './left-behind.ts';
import type { Detection, Stage, Submission, WorkflowChoice } from './submission.ts';

const workflows: WorkflowChoice[] = [
  { id: 1, name: 'Windows', description: '', log_types: ['evtx'], is_default: false },
];
const ready: Stage = { at: 'ready' };
const refused = (code: string): Stage => ({ at: 'refused', message: 'No', code, requestId: null, final: true });
const known = (type: 'evtx' | 'unknown', notLog: string | null = null): Detection => ({ at: 'known', type, notLog });
let keys = 0;
const submission = (name: string, detection: Detection, stage: Stage = ready): Submission => ({
  key: (keys += 1),
  file: new File(['x'], name),
  detection,
  own: {},
  stage,
});

describe('leftBehind', () => {
  it('says why files of a selection cannot be submitted, and names none that can', () => {
    const list = [
      submission('a.evtx', known('evtx')),
      submission('shot.png', known('unknown', 'a picture (PNG)')),
      submission('notes', known('unknown')),
      submission('more', known('unknown')),
      submission('nothing.log', { at: 'unanswered' }, refused('empty')),
    ];
    expect(leftBehind(list, { type: null, workflow: null }, workflows)).toEqual([
      { reason: 'a picture (PNG)', names: ['shot.png'] },
      { reason: 'of a type that no workflow reads', names: ['notes', 'more'] },
      { reason: 'empty', names: ['nothing.log'] },
    ]);
  });
});
