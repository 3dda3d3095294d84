import { jobView, type JobView } from '../../features/report/job-view.ts';

/** State of the page of local reports in its address: which file, and what is looked at of its report. */
export interface TriageView extends JobView {
  /** Number of the file in this window. */
  readonly file?: number;
}

/** Reads the address; values that make no sense are dropped. */
export function triageView(search: Record<string, unknown>): TriageView {
  const file = Number(search['file']);
  return { ...jobView(search), ...(Number.isSafeInteger(file) && file > 0 && { file }) };
}
