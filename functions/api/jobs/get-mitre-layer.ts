import { compose } from '@svc/adapters/compose.ts';
import { getMitreLayer } from '@svc/application/jobs/get-mitre-layer.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('findings', 'jobViews', 'settings');

export const getMitreLayerRoute = route(
  operations.getMitreLayer,
  (actor, input) => getMitreLayer(ports, actor, input),
  (_layer, { input }) => ({
    headers: { 'content-disposition': `attachment; filename="job_${input.id}_attack_layer.json"` },
  }),
);
