import { severities, tactics, type Severity, type Tactic } from '@svc/domain';

/** State of a batch's page in its address: what its rules and files are narrowed to, and the rule that is opened. */
export interface BatchView {
  readonly severity?: Severity;
  readonly tactic?: Tactic;
  readonly host?: string;
  /** Signature of the rule whose files are shown. */
  readonly rule?: string;
}

export type BatchChange = { readonly [K in keyof BatchView]?: BatchView[K] | undefined };

/** Reads the address; values that make no sense are dropped. */
export function batchView(search: Record<string, unknown>): BatchView {
  const severity = severities.find((one) => one === search['severity']);
  const tactic = tactics.find((one) => one === search['tactic']);
  const [host, rule] = [search['host'], search['rule']];
  return {
    ...(severity && { severity }),
    ...(tactic && { tactic }),
    ...(typeof host === 'string' && host !== '' && { host }),
    ...(typeof rule === 'string' && rule !== '' && { rule }),
  };
}
