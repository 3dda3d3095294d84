import { compose } from '@svc/adapters/compose.ts';
import { getRulePackReport } from '@svc/application/rules/get-rule-pack-report.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('objects', 'rulePacks');

export const getRulePackReportRoute = route(operations.getRulePackReport, (actor, input) =>
  getRulePackReport(ports, actor, input),
);
