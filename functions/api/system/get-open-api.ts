import { compose } from '@svc/adapters/compose.ts';
import { getOpenApi } from '@svc/application/system/get-open-api.ts';
import { operations } from '@svc/contracts';
import { route } from '../../route.ts';

const ports = compose('deployment');

export const getOpenApiRoute = route(operations.getOpenApi, () => getOpenApi(ports));
