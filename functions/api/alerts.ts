import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import type { TableOf } from '../route.ts';

const table = {} satisfies TableOf<'alerts'>;

export const handler = areaHandler(areaPorts.alerts, table);
