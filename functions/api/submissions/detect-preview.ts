import { compose } from '@svc/adapters/compose.ts';
import { detectPreview } from '@svc/application/submissions/detect-preview.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('settings');

export const detectPreviewRoute = route(operations.detectPreview, (actor, input) => detectPreview(ports, actor, input));
