import type { OutputOf, RequestOf } from './operation.ts';
import type { operations, OperationName } from './operations.ts';

/** Fields of a request and its answer as one meets them. */
type Examples = {
  readonly [N in OperationName]?: {
    readonly request?: Partial<RequestOf<(typeof operations)[N]>>;
    readonly answer?: OutputOf<(typeof operations)[N]>;
  };
};

const severities = { critical: 1, high: 4, medium: 11, low: 0, informational: 2 };
const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const submitted = { job_id: 7, status: 'pending', reused: false, job_url: '/jobs/7', case_id: null } as const;
const fields = { workflow_id: 1, log_type_override: 'auto', is_private: false, force_resubmit: false };
const reserved = {
  request: { filename: 'Security.evtx', size_bytes: 69_632, sha256 },
  answer: {
    upload_id: '01K3ZJ5V8Q4N7T2B6W9XDMRGFC',
    method: 'PUT',
    url: 'https://svc.example.org/api/uploads/eyJhbGciOiJIUzI1NiJ9.eyJ1cGxvYWQiOiIwMSJ9.c2lnbmF0dXJl',
    headers: { 'Content-Type': 'application/octet-stream' },
    expires_at: '2026-08-01T11:15:00Z',
  },
} as const;
const account = {
  id: '8a4c2f5e-0d53-4f1b-9a51-3f3c2f0f7a11',
  email: 'analyst@example.org',
  display_name: 'Analyst',
  role: 'member',
  is_superuser: false,
  is_active: true,
  send_at_once: false,
} as const;

/** Examples of what scripts do most; the other operations are described by their schemas alone. */
export const examples: Examples = {
  uploadFile: { request: fields, answer: submitted },
  submitJob: { request: fields, answer: submitted },
  createPublicUpload: reserved,
  createUpload: reserved,
  getSubmission: { answer: { ...submitted, status: 'completed' } },
  resubmitJob: {
    request: { file_id: 1_203_922_170_113_466, workflow_id: 1 },
    answer: { job_id: 8, job_url: '/jobs/8', status: 'pending' },
  },
  detectPreview: { answer: { log_type: 'evtx', label: 'Windows Event Log (EVTX)' } },
  listWorkflows: {
    answer: { workflows: [{ id: 1, name: 'Windows full analysis', log_types: ['evtx'], is_default: true }] },
  },
  getJobStates: {
    request: { ids: '7,8' },
    answer: {
      jobs: [
        {
          job_id: 7,
          status: 'completed',
          partly_read: false,
          total_findings: 18,
          severity_summary: severities,
          error: null,
          job_url: '/jobs/7',
        },
      ],
      unavailable_ids: [8],
    },
  },
  listFindings: {
    answer: {
      findings: [
        {
          id: 41,
          task_result_id: 12,
          tool: 'sigma-native',
          rule_id: '0f9a2b37-3e1d-4d3b-8a44-3f5e2a9d1c10',
          rule_name: 'Security event log cleared',
          severity: 'high',
          count: 1,
          tags: ['attack.defense-evasion', 'attack.t1070.001'],
          rule_signature: '0f9a2b37-3e1d-4d3b-8a44-3f5e2a9d1c10:high',
          first_seen: '2026-08-01T10:12:44Z',
          last_seen: '2026-08-01T10:12:44Z',
          has_details: true,
          has_rule: true,
        },
      ],
      page: 1,
      total: 1,
      total_pages: 1,
    },
  },
  createCase: {
    request: { name: 'Phishing wave of August', is_shared: true },
    answer: { case_id: 3, case_url: '/intel/cases/3' },
  },
  listCases: { answer: [{ id: 3, name: 'Phishing wave of August', status: 'open', is_shared: true }] },
  tagJob: {
    request: { tag: 'phishing,needs triage', color: 'red,amber' },
    answer: {
      tags: [
        { tag: 'needs triage', color: 'amber' },
        { tag: 'phishing', color: 'red' },
      ],
    },
  },
  cancelJob: { answer: { job_id: 7, status: 'running', cancelling: true } },
  login: { request: { username: 'analyst@example.org', password: 'correct horse battery staple' } },
  getMe: { answer: account },
  updateMe: { request: { display_name: 'Analyst on call' }, answer: { ...account, display_name: 'Analyst on call' } },
  createApiToken: {
    request: { name: 'collector on host7', scopes: ['job:submit', 'job:read'], expires_in_days: 90 },
    answer: {
      id: 4,
      token: 'svc_kq3V0cQm8mJ6r2Jp0wYx1nC7hTz4uLs9aEdBfGiKoPt',
      prefix: 'svc_kq3V',
      scopes: ['job:submit', 'job:read'],
      expires_at: '2026-10-30T10:15:00Z',
    },
  },
  getHealth: {
    answer: { status: 'ok', database: 'ok', kv: 'ok', storage: 'ok', migrations: 'at_head', version: '1.0.0' },
  },
};
