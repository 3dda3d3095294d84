import { createCase } from '@svc/application/cases/create-case.ts';
import { getCase } from '@svc/application/cases/get-case.ts';
import { listCases } from '@svc/application/cases/list-cases.ts';
import { areaHandler } from '../area-handler.ts';
import { areaPorts } from '../area-ports.ts';
import { presented, type TableOf } from '../route.ts';

const table = {
  createCase: presented(createCase, ({ replayed }) => ({ status: replayed ? 200 : 201 })),
  getCase,
  listCases,
} satisfies TableOf<'cases'>;

export const handler = areaHandler(areaPorts.cases, table);
