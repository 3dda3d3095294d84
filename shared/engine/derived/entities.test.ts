import { describe, expect, it } from 'vitest';
import { EntityExtractor, type EntityFields } from './entities.ts';

const config: EntityFields = {
  fields: {
    ip: ['DestinationIp'],
    hash: ['Hashes'],
    executable: ['Image', 'ImagePath'],
    domain: ['QueryName'],
    command_line: ['CommandLine'],
    user: ['User'],
    service: ['ServiceName', 'ImagePath'],
    task: ['TaskName'],
    computer: ['hostname'],
  },
  ignoredUsers: ['', '-', 'system'],
  commandLineExtensions: ['.exe', '.ps1', '.sh'],
};

function found(field: string, value: string): string[] {
  const entities: string[] = [];
  new EntityExtractor(config).read(field, value, ({ type, value: text }) => entities.push(`${type} ${text}`));
  return entities;
}

describe('what fields name', () => {
  const md5 = 'D41D8CD98F00B204E9800998ECF8427E';
  it.each([
    ['User', ' CORP\\alice ', ['user CORP\\alice']],
    ['User', 'System', []],
    ['User', 'WS01$', []],
    ['DestinationIp', '10.0.0.5', ['ip_address 10.0.0.5']],
    ['Hashes', `MD5=${md5.toLowerCase()},IMPHASH=00`, [`hash ${md5}`]],
    ['Hashes', `MD5=${md5},IMPHASH=${'0'.repeat(32)}`, [`hash ${md5}`]],
    ['Hashes', md5, [`hash ${md5}`]],
    ['Hashes', 'MD5=not-hex-not-hex-not-hex-not-hex-', []],
    ['Image', 'C:\\Tools\\Evil.EXE', ['executable evil.exe']],
    ['Image', '/usr/bin/curl', ['executable curl']],
    ['Image', '?', []],
    ['QueryName', 'Evil.Example.', ['domain evil.example']],
    ['QueryName', 'localhost', []],
    ['QueryName', '10.1.2.3', ['ip_address 10.1.2.3']],
    ['QueryName', 'a.example;::ffff:10.1.2.3;', ['domain a.example', 'ip_address 10.1.2.3']],
    ['QueryName', '1.2.3.version', ['domain 1.2.3.version']],
    ['QueryName', 'type:  5 alias.example;::ffff:10.1.2.3;', ['domain alias.example', 'ip_address 10.1.2.3']],
    ['CommandLine', 'powershell -File "C:\\x\\Stage.PS1" a.exe', ['cmdline_file stage.ps1', 'cmdline_file a.exe']],
    ['CommandLine', 'tool -out=a.exe --x file=b.sh', ['cmdline_file b.sh']],
    ['CommandLine', 'run .ps1', []],
    ['ImagePath', 'C:\\x\\s.exe', ['executable s.exe', 'service C:\\x\\s.exe']],
    ['TaskName', '\\Updater', ['task \\Updater']],
    ['TaskName', 'x'.repeat(600), [`task ${'x'.repeat(500)}`]],
    ['hostname', 'unknown', []],
    ['Other', '10.0.0.5', []],
  ])('%s: %s', (field, value, expected) => {
    expect(found(field, value)).toEqual(expected);
  });
});

it('gives the same object for the same thing, wherever it is named', () => {
  const extractor = new EntityExtractor(config);
  const met = new Set<object>();
  for (const path of ['C:\\a\\x.exe', 'D:\\b\\X.EXE']) extractor.read('Image', path, (entity) => met.add(entity));
  expect(met.size).toBe(1);
});

it('drops placeholders for computers', () => {
  const extractor = new EntityExtractor(config);
  expect(extractor.computer(' WS01 ')).toEqual({ type: 'computer', value: 'WS01' });
  expect(extractor.computer('N/A')).toBeNull();
});
