import type { Profile } from '../named/profile.ts';

const time = 'SystemTime TimeCreated UtcTime @timestamp timestamp time eventTime ts datetime date created_at'.split(
  ' ',
);
const computer = ['host.name', 'hostname', 'computer', 'Computer', 'ComputerName', 'host', 'source.ip', 'src_ip'];
const event = ['event.action', 'eventName', 'event', 'action', 'EventType', 'type', 'level'];

/** Names of the Elastic Common Schema for what rules call as Sysmon does. */
const processAliases: Readonly<Record<string, readonly string[]>> = {
  image: ['process.executable', 'process.path'],
  commandline: ['process.command_line'],
  parentimage: ['process.parent.executable'],
  parentcommandline: ['process.parent.command_line'],
  user: ['user.name'],
  targetfilename: ['file.path'],
};

function macos(source: Profile['source']): Profile {
  return { source, aliases: processAliases, head: { time, computer, service: 'macos', event } };
}

export const macosProcess = macos('macosProcess');
export const macosFile = macos('macosFile');
export const antivirus: Profile = { source: 'antivirus', head: { time, computer, service: 'antivirus', event } };
/** JSON that no signature knows: it is read and shown, and no rule's log source is satisfied. */
export const unlabelled: Profile = { source: 'unlabelled', head: { time, computer, event } };
