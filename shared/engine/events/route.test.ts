import { describe, expect, it } from 'vitest';
import { RouteTable } from './route.ts';

describe('RouteTable', () => {
  it('has one route per source, numbered from zero', () => {
    const routes = new RouteTable();
    const security = routes.windows('Security', 'Auditing', '4624');
    const auditd = routes.source({ product: 'linux', service: 'auditd' });
    expect(routes.windows('Security', 'Auditing', '4624')).toBe(security);
    expect(routes.source({ product: 'linux', service: 'auditd' })).toBe(auditd);
    expect(routes.windows('Security', 'Auditing', '4625')).not.toBe(security);
    expect([security.index, auditd.index, routes.size]).toEqual([0, 1, 3]);
    expect(auditd).toMatchObject({ product: 'linux', channel: '', facts: [{ product: 'linux', service: 'auditd' }] });
  });

  it('stays bounded, and keeps what it had', () => {
    const routes = new RouteTable();
    const first = routes.windows('Security', 'Auditing', '0');
    for (let id = 1; id < 70_000; id++) routes.windows('Security', 'Auditing', String(id));
    const further = routes.windows('Security', 'Auditing', '70000');
    expect(further).toMatchObject({ index: -1, product: 'windows', channel: 'Security', eventId: '70000' });
    expect(routes.windows('Security', 'Auditing', '70000')).toEqual(further);
    expect(routes.source({ product: 'linux' })).toMatchObject({ index: -1, facts: [{ product: 'linux' }] });
    expect(routes.windows('Security', 'Auditing', '0')).toBe(first);
    expect(routes.size).toBeLessThan(66_000);
  });
});
