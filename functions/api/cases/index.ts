import { httpHandler } from '../../http-handler.ts';
import { createCaseRoute } from './create-case.ts';
import { listCasesRoute } from './list-cases.ts';

export const handler = httpHandler([createCaseRoute, listCasesRoute]);
