import type { Finding, Sample } from '@svc/engine';
import { cut, printable } from './text.ts';

/** Characters of a line that no terminal cuts; a script block has thousands. */
const longest = 200;

/** Fields that say most of an event by themselves, the most telling first. */
const telling = [
  'CommandLine', 'ScriptBlockText', 'Payload', 'TargetObject', 'TargetFilename', 'ServiceFileName', 'ImagePath',
  'PipeName', 'QueryName', 'DestinationHostname', 'DestinationIp', 'ImageLoaded', 'TargetImage', 'Image', 'TaskName',
  'TargetUserName', 'IpAddress', 'proctitle', 'exe', 'eventName', 'operationName', 'cs-uri-stem', 'MESSAGE', 'message',
]; // oxfmt-ignore

const rank = new Map(telling.map((name, place) => [name.toLowerCase(), place] as const));

/**
 * What was seen of a finding first, in a line: `ws-01  CommandLine: whoami /all`; with its computer where the log has
 * several. Empty where no field says much.
 */
export function evidenceLine(
  { computers, samples }: Pick<Finding, 'computers' | 'samples'>,
  { withHost }: { readonly withHost: boolean },
): string {
  const [sample] = samples;
  const more = computers.length > 1 ? ` +${computers.length - 1}` : '';
  const host = !withHost || computers[0] === undefined ? '' : `${computers[0]}${more}`;
  const shown = sample === undefined ? '' : tellingField(sample);
  return cut(printable([host, shown].filter((part) => part !== '').join('  ')), longest);
}

function tellingField({ fields }: Sample): string {
  const [best] = Object.entries(fields)
    .filter(([name, value]) => rank.has(name.toLowerCase()) && typeof value === 'string' && value.trim() !== '')
    .sort(([one], [other]) => rank.get(one.toLowerCase())! - rank.get(other.toLowerCase())!);
  return best === undefined ? '' : `${best[0]}: ${String(best[1]).replace(/\s+/g, ' ').trim()}`;
}
