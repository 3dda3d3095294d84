import { compose } from '@svc/adapters/compose.ts';
import { getTriagePlan } from '@svc/application/triage/get-triage-plan.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose(
  'clock',
  'engines',
  'objects',
  'reportConfig',
  'ruleArtifacts',
  'ruleCompiler',
  'rulePacks',
  'settings',
  'workflows',
);

export const getTriagePlanRoute = route(operations.getTriagePlan, (actor, input) => getTriagePlan(ports, actor, input));
