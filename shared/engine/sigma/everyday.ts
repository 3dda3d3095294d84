/** Texts that logs are full of, folded; what stands in one of them tells little. */
const texts = [
  '"c:\\windows\\system32\\svchost.exe" -k',
  'c:\\windows\\syswow64\\',
  'c:\\windows\\temp\\',
  'c:\\windows\\explorer.exe',
  '\\windowspowershell\\v1.0\\powershell.exe',
  'c:\\windows\\system32\\cmd.exe /c ',
  'c:\\program files (x86)\\microsoft\\',
  'c:\\program files\\common files\\',
  'c:\\programdata\\microsoft\\windows\\start menu\\programs\\',
  'c:\\users\\administrator\\appdata\\local\\temp\\',
  'c:\\users\\administrator\\appdata\\local\\microsoft\\windows\\',
  'c:\\users\\public\\desktop\\',
  '\\appdata\\roaming\\microsoft\\',
  '\\device\\harddiskvolume1\\',
  'c:\\windows\\system32\\ntdll.dll+',
  '\\kernelbase.dll+',
  '.sys',
  '.tmp',
  '.log',
  '\\registry\\machine\\system\\currentcontrolset\\services\\',
  'hklm\\software\\microsoft\\windows\\currentversion\\',
  'hklm\\software\\wow6432node\\microsoft\\windows nt\\currentversion\\',
  'hkey_local_machine\\',
  'nt authority\\system',
  'http://www.',
  'https://www.',
  '.com/',
  '/usr/bin/',
  '/usr/sbin/',
  '/usr/lib/systemd/systemd',
  '/usr/share/',
  '/usr/local/',
  '/bin/bash',
  '/bin/sh -c ',
  '/var/log/',
  '/var/lib/',
  '/proc/',
  '/home/',
  '/root/',
  'root@localhost',
  'sudo ',
  'session opened for user root',
].join('\n');

/** Values that some fields have in record after record. */
const wholes: ReadonlySet<string> = new Set(
  ['true', 'tcp', 'setvalue', 'system', 'high', 'medium', 'ntlm', 'kerberos', 'root', '-', '0', '0x0', '3', '5'].concat(
    ['localsystem', 'localhost', '127.0.0.1', 's-1-5-18', 'get', 'post', '200'],
  ),
);

/** Whether a literal, folded, stands in much of what is logged; as the whole value of a field, or anywhere in it. */
export function isEveryday(literal: string, whole: boolean): boolean {
  return whole ? wholes.has(literal) : texts.includes(literal);
}
