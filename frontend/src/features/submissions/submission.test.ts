import { describe, expect, it } from 'vitest';
import { canSend, plainOptions, sendOptions, workflowOf, type Submission, type WorkflowChoice } from './submission.ts';

const workflow = (id: number, types: WorkflowChoice['log_types'], isDefault = false): WorkflowChoice => ({
  id,
  name: `W${id}`,
  description: '',
  log_types: types,
  is_default: isDefault,
});
const workflows = [workflow(1, ['syslog']), workflow(2, ['evtx']), workflow(3, ['evtx', 'json_evtx'], true)];
const submission = (changes: Partial<Submission>): Submission => ({
  key: 1,
  file: new File(['x'], 'x'),
  detection: { at: 'known', type: 'evtx', notLog: null },
  own: {},
  stage: { at: 'ready' },
  ...changes,
});
const plain = plainOptions;

describe('a submission', () => {
  it('takes the default workflow of its type, another when chosen, the first when there is no default', () => {
    const chosen = (changes: Partial<Submission>, common = plain) =>
      workflowOf(submission(changes), common, workflows)?.id;
    expect(chosen({})).toBe(3);
    expect(chosen({ own: { workflow: 2 } })).toBe(2);
    expect(chosen({}, { ...plain, workflow: 2 })).toBe(2);
    expect(chosen({ own: { workflow: 3 } }, { ...plain, workflow: 2 })).toBe(3);
    expect(chosen({ own: { type: 'syslog', workflow: 2 } })).toBe(1);
    expect(chosen({}, { ...plain, type: 'syslog', workflow: 2 })).toBe(1);
    expect(chosen({ own: { type: null } }, { ...plain, type: 'syslog' })).toBe(3);
    expect(chosen({ detection: { at: 'unanswered' } })).toBe(3);
  });

  it('can be sent once its type is known and a workflow takes it', () => {
    const sendable = (changes: Partial<Submission>) => canSend(submission(changes), plain, workflows);
    expect(sendable({})).toBe(true);
    expect(sendable({ detection: { at: 'asking' } })).toBe(false);
    expect(sendable({ detection: { at: 'known', type: 'unknown', notLog: null } })).toBe(false);
    expect(sendable({ detection: { at: 'known', type: 'unknown', notLog: null }, own: { type: 'syslog' } })).toBe(true);
    expect(sendable({ stage: { at: 'sending', step: 'sending', done: 0 } })).toBe(false);
  });

  it('is sent as was chosen for all files, but for what was chosen for it', () => {
    const common = { ...plain, isPrivate: true, tags: ['phishing'], caseId: 7 };
    expect(sendOptions(submission({}), common, workflows)).toEqual({
      workflowId: 3,
      logType: 'auto',
      isPrivate: true,
      force: false,
      tags: ['phishing'],
      caseId: 7,
    });
    const own = { type: 'syslog', isPrivate: false, force: true, tags: [], caseId: null } as const;
    expect(sendOptions(submission({ own }), common, workflows)).toEqual({
      workflowId: 1,
      logType: 'syslog',
      isPrivate: false,
      force: true,
      tags: [],
      caseId: null,
    });
  });
});
