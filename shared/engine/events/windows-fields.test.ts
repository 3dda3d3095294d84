import { describe, expect, it } from 'vitest';
import type { Section, SlotName } from './shape.ts';
import { joinsUnnamedData, resolveWindowsField } from './windows-fields.ts';

const slots: SlotName[] = [
  slot('Provider_Name', 'system'),
  slot('EventID', 'system'),
  slot('Qualifiers', 'system'),
  slot('Level', 'system'),
  slot('TimeCreated_SystemTime', 'system'),
  slot('Execution_ProcessID', 'system'),
  slot('Channel', 'system'),
  slot('Computer', 'system'),
  slot('Security_UserID', 'system'),
  slot('Threat Name', 'data'),
  slot('Feature Name', 'data'),
  slot('image', 'data'),
  slot('Image', 'data'),
  slot('Data', 'data'),
  slot('Data', 'data'),
  { name: 'Id', section: 'data', path: 'UserData.Operation.Client.Id' },
  slot('Message', 'rendering'),
  slot('Level_Text', 'rendering'),
];

const cases: { field: string; names: string[]; why: string }[] = [
  { field: 'Image', names: ['Image'], why: 'exact case beats another case that stands before it' },
  { field: 'IMAGE', names: ['image', 'Image'], why: 'without an exact hit, any case' },
  { field: 'ThreatName', names: ['Threat Name'], why: 'blanks removed' },
  { field: 'threatname', names: ['Threat Name'], why: 'blanks removed, any case' },
  { field: 'Feature_Name', names: ['Feature Name'], why: 'blanks as underscores' },
  { field: 'Threat Name', names: ['Threat Name'], why: 'as written' },
  { field: 'Data', names: ['Data', 'Data'], why: 'all unnamed values' },
  { field: 'Client.Id', names: ['Id'], why: 'end of a dotted path' },
  { field: 'UserData.Operation.Client.Id', names: ['Id'], why: 'whole dotted path' },
  { field: 'ient.Id', names: [], why: 'a path matches by whole names' },
  { field: 'EventID', names: ['EventID'], why: 'System name' },
  { field: 'eventid', names: ['EventID'], why: 'System name, any case' },
  { field: 'Execution_ProcessID', names: ['Execution_ProcessID'], why: 'element and attribute' },
  { field: 'EventLog', names: ['Channel'], why: 'alias' },
  { field: 'ComputerName', names: ['Computer'], why: 'alias' },
  { field: 'Hostname', names: ['Computer'], why: 'alias' },
  { field: 'Source', names: ['Provider_Name'], why: 'alias' },
  { field: 'SystemTime', names: ['TimeCreated_SystemTime'], why: 'alias' },
  { field: 'Message', names: ['Message'], why: 'rendered text' },
  { field: 'Level_Text', names: ['Level_Text'], why: 'rendered text' },
  { field: 'CommandLine', names: [], why: 'no such name' },
  { field: 'toString', names: [], why: 'no such name, though objects have one' },
];

describe('resolveWindowsField', () => {
  it.each(cases)('$field: $why', ({ field, names }) => {
    expect(resolveWindowsField(field, slots).map((at) => slots[at]?.name)).toEqual(names);
  });

  it.each(['Source', 'Hostname', 'Message'])('prefers an EventData name: %s', (field) => {
    const own = [...slots, slot(field, 'data')];
    expect(resolveWindowsField(field, own)).toEqual([slots.length]);
  });

  it.each(['EventID', 'eventid'])(
    'means the id of the event itself, not of one that its data tells of: %s',
    (field) => {
      const own = [...slots, slot('EventID', 'data')];
      expect(resolveWindowsField(field, own).map((at) => own[at]?.section)).toEqual(['system']);
    },
  );

  it('takes the id from the data where System has none', () => {
    expect(resolveWindowsField('EventID', [slot('EventID', 'data')])).toEqual([0]);
  });

  it('prefers a System name to a rendered one', () => {
    const both = [slot('Level', 'rendering'), slot('Level', 'system')];
    expect(resolveWindowsField('Level', both)).toEqual([1]);
  });
});

describe('joinsUnnamedData', () => {
  it('is for classic PowerShell only', () => {
    expect(['Windows PowerShell', 'windows powershell', 'Application'].map(joinsUnnamedData)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

function slot(name: string, section: Section): SlotName {
  return { name, section };
}
