import { createHash } from 'node:crypto';
import type { ExportedFinding, JobStates, SubmittedJob, UploadTicket, Workflow } from '@svc/contracts';

type States = JobStates['jobs'];

/** A script that submits files to the service as they go on AWS: by slots, not through it (resolved-platform 22). */
export interface SlotClient {
  /** A slot for these bytes. */
  reserve(name: string, bytes: Uint8Array): Promise<UploadTicket>;
  /** Sends bytes to a slot; returns the store's answer. */
  send(ticket: UploadTicket, bytes: Uint8Array<ArrayBuffer>): Promise<Response>;
  /** Submits what a slot has received; returns the service's answer. */
  submitUpload(uploadId: string, workflowId?: number): Promise<Response>;
  /** All three; returns the id of the job. */
  submit(name: string, bytes: Uint8Array<ArrayBuffer>, workflowId?: number): Promise<number>;
  /** Makes a workflow for event logs, within a quarter of an hour after signing in; returns its id. */
  makeWorkflow(name: string, tasks: string): Promise<number>;
  /** The jobs in the order of their ids. */
  states(ids: readonly number[]): Promise<States>;
  /** Each rule that matched, and how often. */
  report(id: number): Promise<readonly string[]>;
}

/** At most so many jobs may be asked for at once. */
const statesAtOnce = 50;

/** Signs in as an administrator, who makes an API token for it. */
export async function slotClient(
  url: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SlotClient> {
  const body = new URLSearchParams({ username: email, password });
  const signedIn = await fetch(`${url}/auth/cookie/login`, { method: 'POST', body });
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const administer = async <T>(path: string, value: unknown): Promise<T> =>
    answered(
      await fetch(url + path, {
        method: 'POST',
        headers: { cookie, origin: url, 'content-type': 'application/json' },
        body: JSON.stringify(value),
      }),
    );
  const scopes = ['job:submit', 'job:read'];
  const made = await administer<{ token: string }>('/admin/api-tokens', { name: 'slots', scopes });
  const headers = { authorization: `Bearer ${made.token}`, accept: 'application/json' };
  const get = async <T>(path: string): Promise<T> => answered(await fetch(url + path, { headers }));
  const post = (path: string, value: unknown): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(value),
    });
  const { workflows } = await get<{ workflows: Workflow[] }>('/api/v1/workflows');
  const workflow = workflows.find(({ log_types: types }) => types.includes('evtx'));
  if (!workflow) throw new Error('no workflow for event logs');

  const client: SlotClient = {
    reserve: async (name, bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return answered(await post('/api/v1/uploads', { filename: name, size_bytes: bytes.length, sha256 }));
    },
    send: (ticket, bytes) => fetch(ticket.url, { method: ticket.method, headers: ticket.headers, body: bytes }),
    submitUpload: (uploadId, workflowId = workflow.id) =>
      post('/api/v1/jobs', { workflow_id: workflowId, upload_id: uploadId }),
    submit: async (name, bytes, workflowId) => {
      const ticket = await client.reserve(name, bytes);
      const sent = await client.send(ticket, bytes);
      if (!sent.ok) throw new Error(`the store answered ${sent.status}: ${await sent.text()}`);
      return (await answered<SubmittedJob>(await client.submitUpload(ticket.upload_id, workflowId))).job_id;
    },
    makeWorkflow: async (name, tasks) => {
      const settings = { name, tasks, log_types: ['evtx'], is_default: false };
      return (await administer<{ workflow: { id: number } }>('/admin/workflows', settings)).workflow.id;
    },
    states: async (ids) => {
      const all: States = [];
      for (let at = 0; at < ids.length; at += statesAtOnce) {
        const { jobs } = await get<JobStates>(`/api/v1/jobs?ids=${ids.slice(at, at + statesAtOnce).join(',')}`);
        all.push(...jobs);
      }
      return all.toSorted((one, other) => one.job_id - other.job_id);
    },
    report: async (id) => {
      // Reports are for people; tokens are refused there.
      const findings = await answered<ExportedFinding[]>(
        await fetch(`${url}/jobs/${id}/findings.json`, { headers: { cookie } }),
      );
      return findings.map(({ rule_name: name, count }) => `${name}: ${count}`);
    },
  };
  return client;
}

async function answered<T>(response: Response): Promise<T> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
