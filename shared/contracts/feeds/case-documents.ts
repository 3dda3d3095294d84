import { caseExportLimits } from '@svc/domain';
import { z } from 'zod';
import { Flag, PathId } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { IocPack } from './ioc-pack.ts';

const shared = {
  area: 'feeds',
  method: 'GET',
  access: 'member',
  scope: 'case:read',
  params: PathId,
  limit: 'token',
  success: [200],
  errors: ['case_not_found'],
} as const;

const Completeness = z.object({
  /** All that is in the case, however much it is. */
  complete: Flag,
});

/** A case for other programs, as the viewer sees it (resolved-intel 17). */
export const caseDocumentOperations = {
  exportCaseStix: {
    ...shared,
    path: '/intel/cases/{id}/stix',
    summary: `A case as a STIX 2.1 bundle: its entities, how they are related, where they were seen and what is written of it; the ${caseExportLimits.entities} entities that were linked first and at most ${caseExportLimits.sightings} sightings and as many relationships, which a note says, unless all are asked for`,
    query: Completeness,
    heavy: true,
    output: null,
    bytes: 'application/stix+json;version=2.1',
  },
  exportCaseMisp: {
    ...shared,
    path: '/intel/cases/{id}/misp',
    summary: `A case as a MISP event; the ${caseExportLimits.entities} entities that were linked first, which its title says, unless all are asked for`,
    query: Completeness,
    heavy: true,
    output: null,
    bytes: 'application/json',
  },
  getCaseIocPack: {
    ...shared,
    path: '/intel/cases/{id}/ioc-pack',
    summary: `A case as a small document for the clipboard; the ${caseExportLimits.packed} entities that were linked first`,
    output: IocPack.extend({
      scope: z.literal('case'),
      case: z.string(),
      /** Entities of the case, of which `indicators` has the first. */
      entity_total: z.number().int(),
    }),
  },
} as const satisfies Record<string, Operation>;
