import type { Deed } from '@svc/domain';
import { targets, type Tellers } from './teller.ts';

/** Of what leaves the service. */
export const exportDeeds = {
  exportFindings: ({ input: { id } }) =>
    exported('job_findings', targets.job(id), 'the findings of a job', { format: 'json' }),
  exportFindingsCsv: ({ input: { id } }) =>
    exported('job_findings', targets.job(id), 'the findings of a job', { format: 'csv' }),
  exportFindingMatches: ({ input: { id, format } }) =>
    exported('job_findings', ['finding', id], 'the matched events of a finding', { format }),
  exportAnalytics: ({ input: { id } }) => exported('job_findings', targets.job(id), 'the analytics of a job'),
  exportRaw: ({ input: { id } }) => exported('job_raw', targets.job(id), 'the raw outputs of a job'),
  downloadFile: ({ input: { id } }) => exported('job_file', targets.job(id), 'the file of a job'),
  getMitreLayer: ({ input: { id } }) => exported('layer', targets.job(id), 'the ATT&CK layer of a job'),
  getIntelMitreLayer: () => exported('layer', undefined, 'the ATT&CK layer of all jobs'),
  getEntityMitreLayer: ({ input: { id } }) => exported('layer', targets.entity(id), 'the ATT&CK layer of an entity'),
  exportEntityGraph: ({ input: { id } }) => exported('graph', targets.entity(id), 'the graph of an entity'),
  exportEntityStix: ({ input: { id } }) => exported('stix', targets.entity(id), 'an entity as STIX'),
  getEntityIocPack: ({ input: { id } }) => exported('ioc_pack', targets.entity(id), 'an entity as IOC pack'),
  exportCaseStix: ({ input: { id } }) => exported('stix', targets.case(id), 'a case as STIX'),
  exportCaseMisp: ({ input: { id } }) => exported('misp', targets.case(id), 'a case for MISP'),
  getCaseIocPack: ({ input: { id } }) => exported('case', targets.case(id), 'a case as IOC pack'),
  getIocFeed: ({ input: { format, types, include_allowlisted: allowlisted } }) =>
    exported('ioc_feed', undefined, 'the IOC feed', { format, types, include_allowlisted: allowlisted }),
  getMispEvent: ({ input: { file } }) =>
    exported('ioc_feed', undefined, 'an event of the MISP feed', { format: 'misp', file }),
  listMispHashes: () => exported('ioc_feed', undefined, 'the hashes of the MISP feed', { format: 'misp' }),
  listTaxiiObjects: ({ input: { collection }, output: { objects } }) =>
    exported('taxii', undefined, 'a page of a TAXII collection', { collection, count: objects.length }),
  exportAlertRules: () => exported('watch_rules', undefined, 'alert rules as YAML'),
  exportWorkflows: () => exported('workflows', undefined, 'workflows as YAML'),
  exportActivityCsv: ({ input }) => exported('activity', undefined, 'this log', { ...input, format: 'csv' }),
  exportActivityJson: ({ input, output: { count } }) =>
    exported('activity', undefined, 'this log', { ...input, format: 'json', count }),
} satisfies Partial<Tellers>;

function exported(what: string, target: Deed['target'], of: string, metadata?: Deed['metadata']): Deed {
  return {
    action: `export.${what}`,
    ...(target && { target }),
    summary: `Exported ${of}`,
    ...(metadata && { metadata }),
  };
}
