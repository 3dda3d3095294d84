import { describe, expect, it } from 'vitest';
import { messageData } from './message-data.ts';

const security = 'Microsoft-Windows-Security-Auditing';

function message(...lines: readonly string[]): string {
  return lines.join('\r\n');
}

describe('data of messages', () => {
  it('is under headings, and without one', () => {
    const text = message(
      'An account was successfully logged on.',
      '',
      'Subject:',
      '\tSecurity ID:\t\tNT AUTHORITY\\SYSTEM',
      '\tAccount Name:\t\tW$',
      '',
      'Logon Information:',
      '\tLogon Type:\t\t3',
      '\tElevated Token:\t\tYes',
      '',
      'Impersonation Level:\t\tImpersonation',
      '',
      'New Logon:',
      '\tSecurity ID:\t\tS-1-5-7',
      '\tAccount Name:\t\tbob',
      '\tSomething New:\t\tx',
      '',
      'The Account Name field says nothing:',
      '\tAccount Name:\t\tnobody',
    );
    expect(messageData(security, '4624', text)).toEqual({
      SubjectUserName: 'W$',
      LogonType: '3',
      ElevatedToken: '%%1842',
      ImpersonationLevel: '%%1833',
      TargetUserSid: 'S-1-5-7',
      TargetUserName: 'bob',
    });
  });

  it('has values of several lines', () => {
    const text = message(
      'Special privileges assigned to new logon.',
      '',
      'Subject:',
      '\tLogon ID:\t\t0x1',
      '',
      'Privileges:\t\tSeA',
      '\t\t\tSeB',
    );
    expect(messageData(security, '4672', text)).toEqual({ SubjectLogonId: '0x1', PrivilegeList: 'SeA\n\t\t\tSeB' });
    const task = message(
      'A scheduled task was created.',
      '',
      'Task Information:',
      '\tTask Name: \t\t\\x',
      '\tTask Content: \t\t<?xml version="1.0"?>',
      '<Task>',
      '  <Exec>a: b</Exec>',
      '</Task>',
      '\t',
      'Other:',
    );
    expect(messageData(security, '4698', task)).toEqual({
      TaskName: '\\x',
      TaskContent: '<?xml version="1.0"?>\n<Task>\n  <Exec>a: b</Exec>\n</Task>',
    });
  });

  it('leaves out what the event has otherwise', () => {
    const text = message(
      '',
      'New Account:',
      '\tAccount Name:\t\tbob',
      '',
      'Attributes:',
      '\tDisplay Name:\t\t<value not set>',
      '\tOld UAC Value:\t\t0x0',
    );
    expect(messageData(security, '4720', text)).toEqual({ TargetUserName: 'bob', OldUacValue: '0x0' });
    expect(
      messageData(security, '4688', message('Process Information:', '\tToken Elevation Type:\tsomething')),
    ).toEqual({});
  });

  it('takes the first of two values of a label', () => {
    const text = message('Process Information:', '\tNew Process Name:\ta', '\tNew Process Name:\tb');
    expect(messageData(security, '4688', text)).toEqual({ NewProcessName: 'a' });
  });

  it('is what Sysmon writes, line by line', () => {
    const text = message(
      'Process Create:',
      'RuleName: -',
      'Image: C:\\a',
      'CommandLine: a "x',
      'http: y"',
      'ParentUser:',
    );
    expect(messageData('Microsoft-Windows-Sysmon', '1', text)).toEqual({
      RuleName: '-',
      Image: 'C:\\a',
      CommandLine: 'a "x\nhttp: y"',
      ParentUser: '',
    });
  });

  it('is the block of a script', () => {
    const id = '0a1b2c3d-0000-0000-0000-000000000000';
    const text = message('Creating Scriptblock text (1 of 2):', 'a', '', 'b', '', `ScriptBlock ID: ${id}`, 'Path: ');
    expect(messageData('Microsoft-Windows-PowerShell', '4104', text)).toEqual({
      MessageNumber: '1',
      MessageTotal: '2',
      ScriptBlockText: 'a\r\n\r\nb',
      ScriptBlockId: id,
      Path: '',
    });
  });

  it("is what classic PowerShell's ends with", () => {
    const text = 'Engine state is changed.\n\nDetails: \n\tHostVersion=2.0\n';
    expect(messageData('PowerShell', '400', text)).toEqual({ Data: ['\tHostVersion=2.0\n'] });
  });

  it.each([
    [security, '4999', 'Subject:\r\n\tAccount Name:\tbob'],
    [security, 'constructor', 'Subject:\r\n\tAccount Name:\tbob'],
    ['Other', '1', 'Image: x'],
    ['Microsoft-Windows-Sysmon', '1', 'Ein Prozess wurde erstellt.'],
  ])('is none where it is not known: %s %s', (provider, eventId, text) => {
    expect(messageData(provider, eventId, text)).toEqual({});
  });
});
