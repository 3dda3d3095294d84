import { listValues, ruleListLimits } from '@svc/domain';

/** What stands before the names of a line of a hosts file. */
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*)\s+(?=\S)/i;
/** What hosts files say of the machine itself. */
const ownNames =
  /^(?:localhost(?:\.localdomain|4|6)?|local|broadcasthost|ip6-\w+|(?:\d{1,3}\.){3}\d{1,3}|[0-9a-f]*:[0-9a-f:]*)$/i;

/**
 * The entries of a feed, as lists keep them: of each line all of it, the first column where it is CSV, or the names of a
 * hosts file. Lines of comments and entries that are too long are left out.
 */
export function readListSource(text: string): string[] {
  const entries = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|;|\/\/)/.test(line))
    .flatMap(entriesOf);
  return listValues(entries).filter((value) => value.length <= ruleListLimits.value);
}

function entriesOf(line: string): string[] {
  if (address.test(line)) {
    const [names = ''] = line.replace(address, '').split('#');
    return names.split(/\s+/).filter((name) => name !== '' && !ownNames.test(name));
  }
  const quoted = /^"((?:[^"]|"")*)"(?:,|$)/.exec(line)?.[1];
  return [quoted === undefined ? line.split(',', 1)[0]! : quoted.replaceAll('""', '"')];
}
