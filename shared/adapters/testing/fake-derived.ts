import type { DerivedOutput } from '@svc/application/ports/detection-engine.ts';

/** What an engine derived that found `fake-engine`'s finding, in two events on one computer. */
export function derived(over: Partial<DerivedOutput> = {}): DerivedOutput {
  const process = {
    guid: '{1}',
    pid: '4242',
    image: 'powershell.exe',
    image_full: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    image_alts: [],
    cmdline: 'powershell -enc SQBFAFgA',
    user: 'CORP\\alice',
    time: '2026-08-01 10:15:00.5',
    computer: 'ws1.example.org',
    hashes: [],
    hit: true,
    rules: [0],
    children: [],
  };
  const stats = {
    processes: 2,
    hits: 1,
    inferred: 1,
    roots: 1,
    truncated: false,
    depth_capped: false,
    max_nodes: 2000,
  };
  return {
    events: 2,
    isCapped: false,
    hours: [{ hour: '2026-08-01T10', groups: new Map([['execution', 2]]) }],
    alerts: {
      resolution: 1,
      markers: [{ time: 1_785_579_300, rule: 0, computer: 'ws1.example.org', count: 2 }],
      total: 2,
      undated: 1,
    },
    entities: {
      user: [
        { value: 'bob', count: 2 },
        { value: 'alice', count: 1 },
      ],
      computer: [{ value: 'ws1.example.org', count: 2 }],
      ip_address: [],
      hash: [],
      executable: [{ value: 'powershell.exe', count: 2 }],
      domain: [],
      cmdline_file: [],
      service: [],
      task: [],
    },
    isTruncated: false,
    threats: {
      total_indicators: 2,
      total_categories: 1,
      categories: {
        lolbin_usage: {
          label: 'Living-off-the-land binaries',
          description: 'Programs of Windows that attackers use',
          severity: 'high',
          total: 2,
          indicators: [{ tag: 'CERTUTIL.EXE', count: 2, severity: 'high', value: 'C:\\Windows\\certutil.exe' }],
        },
      },
    },
    processes: {
      roots: [{ ...process, guid: '', pid: '1', image: 'winword.exe', hit: false, rules: [], children: [process] }],
      stats,
    },
    tactics: ['execution'],
    intel: { entities: [], findings: [], relationships: [], isTruncated: false },
    ...over,
  };
}
