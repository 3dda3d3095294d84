import type { Analytics, FindingRow } from '@svc/contracts';
import { emptySummary } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { handoverDocument, handoverHtml } from './document.ts';
import type { DocumentNode } from './document-node.ts';
import { evidenceLine } from './evidence-line.ts';
import { worstFindings, type Handover } from './handover.ts';
import { hourSteps } from './hours.ts';

const hostile = `</style><script>alert(1)</script><img src="http://evil.example/x" onerror='x()'>`;

function finding(id: number, over: Partial<FindingRow> = {}): FindingRow {
  return {
    id,
    task_result_id: 1,
    tool: 'sigma-native',
    rule_id: null,
    rule_name: `Rule ${id}`,
    severity: 'high',
    count: 2,
    tags: ['attack.execution', 'attack.t1059.001'],
    rule_signature: `rule-${id}:high`,
    first_seen: `2026-08-01T10:${String(id % 60).padStart(2, '0')}:00Z`,
    last_seen: null,
    has_details: true,
    has_rule: true,
    ...over,
  };
}

function analytics(over: Partial<Analytics> = {}): Analytics {
  const frequent = { computer: [{ value: 'ws1', count: 5 }], user: [{ value: 'bob', count: 3 }] };
  return {
    computers: ['ws1', 'ws2'],
    users: ['bob'],
    frequent: { ...({} as NonNullable<Analytics['frequent']>), ...frequent },
    timeline: [
      { bucket: '10:00', hour: '2026-08-01T10', count: 4, pct: 100, segments: [] },
      { bucket: '12:00', hour: '2026-08-01T12', count: 1, pct: 25, segments: [] },
    ],
    events_seen: 5,
    events_capped: false,
    ...over,
  };
}

function handover(over: Partial<Handover> = {}, subject: Partial<Handover['subject']> = {}): Handover {
  return {
    subject: {
      name: 'a.evtx',
      standing: ['Job 7'],
      address: 'https://svc.example.org/jobs/7',
      isAnalysed: true,
      severitySummary: { ...emptySummary, high: 2 },
      totalFindings: 2,
      distinctRules: 1,
      events: 1200,
      firstEventAt: '2026-08-01T10:01:00Z',
      lastEventAt: '2026-08-01T12:01:00Z',
      limits: [],
      file: [['SHA-256', 'ab12']],
      making: [['Rules', '30 of core 1']],
      ...subject,
    },
    at: '2026-08-02T08:00:00Z',
    by: 'Ada',
    findings: [finding(1)],
    evidence: new Map([[1, 'cmd /c é']]),
    analytics: analytics(),
    happened: [],
    contents: [],
    panels: { mitre_heatmap: true },
    comments: { total: 1, list: [{ author: 'Bob', body: 'seen', at: '2026-08-01T13:00:00Z', isEdited: false }] },
    ...over,
  };
}

/** All text of a document, a line for each element that has some. */
function textOf(part: DocumentNode): string {
  return part.children.map((child) => (typeof child === 'string' ? child : `\n${textOf(child)}`)).join('');
}

function headings(report: Handover): string[] {
  return [...handoverHtml(report).matchAll(/<h2>(.*?)<\/h2>/g)].map(([, text]) => text!);
}

describe('the report to hand over', () => {
  it('has its parts in their order', () => {
    expect(headings(handover())).toEqual([
      'Verdict: High',
      'What happened',
      'Hosts and users',
      'Matches by hour, UTC',
      'Findings with evidence',
      'Timeline',
      'ATT&amp;CK',
      '1 comment',
      'Appendix',
    ]);
    const text = textOf(handoverDocument(handover()));
    for (const part of [
      'What matched happened from 2026-08-01 10:01:00 to 2026-08-01 12:01:00 UTC, over 2 h 0 min.',
      'Of 2 hosts, ws1 is named by most matched events: 5.',
      'cmd /c é',
      'Report of 2026-08-02 08:00:00 UTC, made by Ada. All times are UTC.',
      'ab12',
      '30 of core 1',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('says nothing of what the viewer or the site does not show', () => {
    const report = handover({ panels: { mitre_heatmap: false }, comments: null, analytics: null });
    expect(headings(report)).toEqual([
      'Verdict: High',
      'What happened',
      'Findings with evidence',
      'Timeline',
      'Appendix',
    ]);
  });

  it('does not call a log clean that was not read', () => {
    const none = { findings: [], evidence: new Map<number, string>(), analytics: null };
    const clean = { severitySummary: emptySummary, totalFindings: 0, firstEventAt: null, lastEventAt: null };
    expect(textOf(handoverDocument(handover(none, clean)))).toContain('it does not say that nothing happened');
    expect(textOf(handoverDocument(handover(none, { ...clean, isAnalysed: false })))).toContain(
      'nothing can be said about it',
    );
  });

  it('is one file that loads nothing and runs nothing, whatever the log says', () => {
    const html = handoverHtml(
      handover(
        {
          by: hostile,
          findings: [finding(1, { rule_name: hostile, rule_id: hostile, tool: hostile, tags: [`attack.${hostile}`] })],
          evidence: new Map([[1, hostile]]),
          analytics: analytics({
            frequent: {
              ...({} as NonNullable<Analytics['frequent']>),
              computer: [{ value: hostile, count: 1 }],
              user: [{ value: hostile, count: 1 }],
            },
          }),
          comments: { total: 1, list: [{ author: hostile, body: hostile, at: hostile, isEdited: true }] },
        },
        {
          name: hostile,
          standing: [hostile],
          limits: [hostile],
          file: [['Name', hostile]],
          making: [['Rules', hostile]],
        },
      ),
    );
    expect(html).toContain("content=\"default-src 'none'; style-src 'unsafe-inline'");
    expect(html).not.toMatch(/<(script|img|link|iframe|object|base|form)\b/i);
    expect(html).not.toMatch(/\s(on\w+|src|style)=["']/i);
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    expect(html.split('&lt;script&gt;').length).toBeGreaterThan(10);
  });

  it('keeps heads on every page and rows whole, and the appendix on pages of its own', () => {
    const html = handoverHtml(handover({ findings: Array.from({ length: 60 }, (_, nth) => finding(nth)) }));
    expect(html).toMatch(/thead { display: table-header-group; }/);
    expect(html).toMatch(/:is\(tr, [^)]*\) { break-inside: avoid; }/);
    expect(html).toMatch(/\.appendix { break-before: page; }/);
    expect(html).toContain('<section class="summary">');
    expect(html).toContain('<section class="appendix">');
    for (const [, table] of html.matchAll(/<table>(.*?)<\/table>/gs)) expect(table).toMatch(/^<thead><tr><th scope/);
    expect(html).toContain('The 25 worst of 60 findings');
    expect(html).toContain('<h3>60 findings</h3>');
  });
});

describe('the findings that are told', () => {
  it('are ten, and of several engines’ equal ones the first', () => {
    const rows = Array.from({ length: 24 }, (_, nth) =>
      finding(nth, { rule_signature: `${Math.floor(nth / 2)}:high` }),
    );
    expect(worstFindings(rows).map(({ id }) => id)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    expect(worstFindings(rows.slice(0, 3)).map(({ id }) => id)).toEqual([0, 2]);
  });
});

describe('a line of evidence', () => {
  const event = {
    record_id: '1',
    timestamp: '2026-08-01T10:15:00.5Z',
    computer: 'ws1',
    channel: 'Security',
    fields: {},
  };

  it('says when, where, which and what', () => {
    const line = evidenceLine({ ...event, event_id: '4688' }, { name: 'CommandLine', text: 'cmd\r\n  /c' });
    expect(line).toBe('2026-08-01 10:15:00.5 · ws1 · event 4688 · CommandLine: cmd /c');
    expect(evidenceLine({ ...event, timestamp: null, event_id: null }, undefined)).toBe('ws1');
  });

  it('is cut between characters', () => {
    const line = evidenceLine({ ...event, event_id: null }, { name: 'A', text: '😀'.repeat(1000) });
    expect(Array.from(line)).toHaveLength(401);
    expect(line.endsWith('😀…')).toBe(true);
  });
});

describe('hours on one axis', () => {
  const hour = (at: string, count: number) => ({ bucket: at, hour: at, count, pct: 0, segments: [] });

  it('have those without a match among them', () => {
    expect(hourSteps([hour('2026-08-01T10', 4), hour('2026-08-01T13', 1)])).toEqual({
      from: Date.UTC(2026, 7, 1, 10),
      stepHours: 1,
      counts: [4, 0, 0, 1],
    });
    expect(hourSteps([])).toBeNull();
  });

  it('are few, however long the log is, and lose no match', () => {
    const many = Array.from({ length: 150_000 }, (_, nth) =>
      hour(new Date(Date.UTC(2000, 0) + nth * 3_600_000).toISOString().slice(0, 13), 1),
    );
    const { counts } = hourSteps(many)!;
    expect(counts.length).toBeLessThanOrEqual(120);
    expect(counts.reduce((a, b) => a + b)).toBe(150_000);
  });
});
