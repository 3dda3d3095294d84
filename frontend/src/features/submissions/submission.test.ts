import { describe, expect, it } from 'vitest';
import { canSend, sendOptions, workflowOf, type Submission, type WorkflowChoice } from './submission.ts';

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
  detection: { at: 'known', type: 'evtx' },
  chosenType: null,
  chosenWorkflow: null,
  stage: { at: 'ready' },
  ...changes,
});

describe('a submission', () => {
  it('takes the default workflow of its type, another when chosen, the first when there is no default', () => {
    expect(workflowOf(submission({}), workflows)?.id).toBe(3);
    expect(workflowOf(submission({ chosenWorkflow: 2 }), workflows)?.id).toBe(2);
    expect(workflowOf(submission({ chosenType: 'syslog', chosenWorkflow: 2 }), workflows)?.id).toBe(1);
    expect(workflowOf(submission({ detection: { at: 'unanswered' } }), workflows)?.id).toBe(3);
  });

  it('can be sent once its type is asked for and a workflow takes it', () => {
    expect(canSend(submission({}), workflows)).toBe(true);
    expect(canSend(submission({ detection: { at: 'asking' } }), workflows)).toBe(false);
    expect(canSend(submission({ detection: { at: 'known', type: 'unknown' } }), workflows)).toBe(false);
    expect(canSend(submission({ detection: { at: 'known', type: 'unknown' }, chosenType: 'syslog' }), workflows)).toBe(
      true,
    );
    expect(canSend(submission({ stage: { at: 'sending', step: 'sending', done: 0 } }), workflows)).toBe(false);
  });

  it('is sent as what was chosen, or as the service finds it', () => {
    expect(sendOptions(submission({}), workflows, true)).toEqual({
      workflowId: 3,
      logType: 'auto',
      isPrivate: true,
      force: false,
    });
    expect(sendOptions(submission({ chosenType: 'syslog' }), workflows, false, true)).toEqual({
      workflowId: 1,
      logType: 'syslog',
      isPrivate: false,
      force: true,
    });
  });
});
