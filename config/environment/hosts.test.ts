import { describe, expect, it } from 'vitest';
import { readEnvironment, startNotices } from '../env.ts';
import { servedHosts } from './hosts.ts';

describe('hosts that the service answers to', () => {
  it.each<[string, Record<string, string>, string[] | null, boolean]>([
    ['are those of loopback alone on one machine', {}, [], false],
    ['are those of loopback for every spelling of it', { HOST: '::1' }, [], false],
    ['are those of loopback for its name', { HOST: 'LOCALHOST' }, [], false],
    ['have the site among them', { SITE_URL: 'https://Logs.example.org:8443/' }, ['logs.example.org'], false],
    ['are what the operator says', { HOST: '0.0.0.0', ALLOWED_HOSTS: 'A.test, b.test' }, ['a.test', 'b.test'], false],
    ['are that and the site', { ALLOWED_HOSTS: 'inner', SITE_URL: 'https://logs.test' }, ['inner', 'logs.test'], false],
    ['are all where the operator says so', { ALLOWED_HOSTS: '*' }, null, false],
    ['are all where others reach it, which is told', { HOST: '0.0.0.0' }, null, true],
    ['are all at an address of the network, too', { HOST: '192.168.7.1' }, null, true],
    // A proxy that needs SITE_URL sends a Host of its own.
    ['are all behind a proxy', { TRUST_PROXY_HEADERS: 'true', SITE_URL: 'https://logs.test' }, null, true],
    ['are left to the edge where there is one', { HOST: '0.0.0.0', EDGE_KEY: 'a key of the edge' }, null, false],
  ])('%s', (_, source, hosts, isTold) => {
    const environment = readEnvironment(source);
    expect(servedHosts(environment)).toEqual(hosts);
    expect(startNotices(environment, source).join('; ').includes('ALLOWED_HOSTS')).toBe(isTold);
  });

  it.each(['https://a.test', 'a.test:8000', 'a.test,', 'a b', '*.a.test'])('cannot be %j', (wrong) => {
    expect(() => readEnvironment({ ALLOWED_HOSTS: wrong })).toThrow('ALLOWED_HOSTS');
  });
});
