import { emptySummary } from '@svc/domain';
import { expect, it } from 'vitest';
import type { JobFacts } from '../brief/job-facts.ts';
import { evidenceOf } from './evidence.ts';
import { verifyAnswer } from './verify-answer.ts';

const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const facts: JobFacts = {
  job: {
    job_id: 7,
    filename: 'Security.evtx',
    log_type: 'evtx',
    status: 'completed',
    score_ratio: '1/1',
    total_findings: 1,
    distinct_rules: 1,
    severity_summary: emptySummary,
    partly_read: false,
    workflow: 'All rules',
    sha256: 'a'.repeat(64),
    first_event_at: null,
    last_event_at: null,
  },
  file: 1,
  analytics: {
    users: ['CORP\\alice', 'bob'],
    computers: ['ws01.corp.example'],
    ip_addresses: ['10.0.0.5', '203.0.113.7'],
    hashes: [hash],
    services: ['PSEXESVC', 'Update'],
    events_seen: 1,
    events_capped: false,
  },
  own: { users: [], hosts: [] },
  findings: [
    {
      id: 41,
      task_result_id: 1,
      tool: 'sigma-native',
      rule_id: null,
      rule_name: 'Suspicious Service Installed',
      severity: 'high',
      count: 1,
      tags: ['attack.t1059.001'],
      rule_signature: '',
      first_seen: null,
      last_seen: null,
      has_details: true,
      has_rule: true,
    },
  ],
  events: new Map(),
};
const evidence = evidenceOf([facts], ['powershell -File C:\\Users\\alice\\run.ps1 http://evil.example.net/a', 'alice']);

function checked(answer: string): string[] {
  return verifyAnswer(answer, evidence).map(
    ({ kind, value, isKnown, findingId }) =>
      `${isKnown ? 'known' : 'missing'} ${kind} ${value}${findingId === null ? '' : ` in ${findingId}`}`,
  );
}

it.each<[string, string[]]>([
  ['on `WS01.corp.example` ran', ['known host WS01.corp.example']],
  ['by CORP\\Alice', ['known user CORP\\Alice']],
  ['from 10.0.0.5 and 10.0.0.50', ['known ip 10.0.0.5', 'missing ip 10.0.0.50']],
  [`${hash} and ${'b'.repeat(64)}`, [`known hash ${hash}`, `missing hash ${'b'.repeat(64)}`]],
  ['suspicious service installed', ['known rule suspicious service installed in 41']],
  ['see [finding 41] and finding 42', ['known finding finding 41 in 41', 'missing finding finding 42']],
  ['of job 7, not job 8', ['known job job 7', 'missing job job 8']],
  ['T1059, T1059.001 and T1003', ['known technique T1059', 'known technique T1059.001', 'missing technique T1003']],
  ['CVE-2021-44228', ['missing cve CVE-2021-44228']],
  [
    '`C:\\Users\\alice\\run.ps1` or `C:\\Temp\\x.dll`',
    ['known path C:\\Users\\alice\\run.ps1', 'missing path C:\\Temp\\x.dll'],
  ],
  ['`run.ps1`, then `mimikatz.exe`.', ['known program run.ps1', 'missing program mimikatz.exe']],
  ['http://evil.example.net/a', ['known url http://evil.example.net/a']],
  ['evil.example.net, bad.example.net.', ['known domain evil.example.net', 'missing domain bad.example.net']],
  ['the host DESKTOP-4F2', ['missing host DESKTOP-4F2']],
  ['the service PSEXESVC does an Update', ['known service PSEXESVC']],
  ['ANON-HOST-00FA', ['missing stand_in ANON-HOST-00FA']],
  ['MITRE ATT&CK, SHA-256, Event ID 4688, e.g. a log; NTLMv2 and i.e. the KDC.', []],
])('%s', (answer, values) => {
  expect(checked(answer).sort()).toEqual(values.sort());
});
