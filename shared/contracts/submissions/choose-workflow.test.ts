import type { LogType } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { compatibleWorkflows, usualWorkflow } from './choose-workflow.ts';

const workflow = (id: number, types: LogType[], isDefault = false) => ({
  id,
  name: `W${id}`,
  log_types: types,
  is_default: isDefault,
});
const workflows = [workflow(1, ['syslog']), workflow(2, ['evtx']), workflow(3, ['evtx', 'json_evtx'], true)];

describe('the workflow for a type', () => {
  it('is the default one if it takes the type, else the first that does', () => {
    expect(usualWorkflow(workflows, 'evtx')?.id).toBe(3);
    expect(usualWorkflow(workflows, 'syslog')?.id).toBe(1);
    expect(usualWorkflow(workflows, null)?.id).toBe(3);
    expect(usualWorkflow(workflows, 'unknown')).toBeNull();
  });

  it('may be any that takes the type; one without types takes all', () => {
    expect(compatibleWorkflows(workflows, 'evtx').map(({ id }) => id)).toEqual([2, 3]);
    expect(compatibleWorkflows(workflows, null)).toHaveLength(3);
    expect(compatibleWorkflows([workflow(9, [])], 'unknown')).toHaveLength(1);
  });
});
