import { outboundPolicies } from '@svc/adapters/outbound/policies.ts';
import { lazyOutboundHttp } from '@svc/adapters/outbound/lazy-outbound-http.ts';
import { ownService } from '@svc/adapters/testing/enrichment-content.ts';
import { readEnvironment } from '@svc/config';
import { enrichmentPresets, type EnrichmentContent } from '@svc/domain';
import { describe, expect, it } from 'vitest';
import { checkedService } from './check-service.ts';

const outbound = lazyOutboundHttp(outboundPolicies(readEnvironment({})));
const checked = (over: Partial<EnrichmentContent>) => checkedService({ outbound }, { ...ownService, ...over });

describe('an enrichment service', () => {
  it.each([
    [{ entityTypes: [] }, 'one type'],
    [{ apiTemplate: 'https://{value}.example/' }, 'placeholders'],
    [{ apiTemplate: 'https://v.example:{token}/' }, 'address'],
    [{ apiTemplate: 'https://{token}@v.example/' }, 'name or password'],
    [{ apiTemplate: '{value}' }, 'address'],
    [{ apiTemplate: 'ftp://v.example/' }, 'http'],
    [{ apiTemplate: 'javascript:alert(1)' }, 'http'],
    [{ linkTemplate: 'javascript:alert({value})' }, 'http'],
    [{ linkTemplate: 'https://v.example/{token}' }, 'no {token}'],
    [{ apiHeaders: { 'X Key': '1' } }, 'no name of a header'],
    [{ apiHeaders: { 'X-Key': 'a\nb' } }, 'cannot be sent'],
    [{ apiHeaders: Object.fromEntries(Array.from({ length: 21 }, (_, nth) => [`x-${nth}`, ''])) }, 'at most 20'],
    [{ apiBody: 'a={value}' }, 'POST'],
    [{ apiMethod: 'POST' as const, apiBody: '{"a":{value}' }, 'no JSON'],
    [{ apiMethod: 'POST' as const, apiBody: 'k={token}' }, 'the token'],
    [{ providerKey: 'virustotal' }, 'virustotal.com'],
    [{ providerKey: 'shodan', apiTemplate: 'https://shodan.io.evil.example/' }, 'shodan.io'],
    [{ providerKey: 'abuseipdb', apiTemplate: 'https://notabuseipdb.com/' }, 'abuseipdb.com'],
    [{ providerKey: 'urlscan', apiTemplate: 'https://urlscan.io@evil.example/' }, 'name or password'],
    [{ apiTemplate: 'http://127.0.0.1/{value}' }, 'not a public address'],
    [{ apiTemplate: 'http://169.254.169.254/{value}' }, '169.254.169.254'],
    [{ apiTemplate: 'http://2852039166/{value}' }, '169.254.169.254'],
    [{ apiTemplate: 'http://[::ffff:10.0.0.1]/' }, 'not a public address'],
  ])('that says %j is refused', (over, reason) => {
    expect(() => checked(over)).toThrow(reason);
  });

  it('keeps no header that says where a request goes', () => {
    expect(checked({ apiHeaders: { host: 'x', 'X-Key': '{token}' } }).apiHeaders).toEqual({ 'X-Key': '{token}' });
  });

  it.each(enrichmentPresets.map((preset) => [preset.key, preset] as const))('may be as %s is preset', (_, preset) => {
    expect(checked({ ...preset, verdictRules: preset.suggestedVerdicts })).toMatchObject({ name: preset.name });
  });
});
