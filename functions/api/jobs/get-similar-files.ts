import { compose } from '@svc/adapters/compose.ts';
import { getSimilarFiles } from '@svc/application/jobs/get-similar-files.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('files', 'jobViews');

export const getSimilarFilesRoute = route(operations.getSimilarFiles, (actor, input) =>
  getSimilarFiles(ports, actor, input),
);
