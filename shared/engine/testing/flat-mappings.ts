import type { FlatRecord } from './flat-record.ts';

/** Texts by lower-case field name. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** What a rule of a mapped row sees before the record's own (M1 to M4). */
export function mappedFields({ channel, eventId, data, system }: FlatRecord): Fields {
  const get = (name: string): string | undefined => (data[name] === undefined ? undefined : String(data[name] ?? ''));
  const decimal = (name: string): string | undefined => {
    const text = get(name);
    return text !== undefined && /^0x/i.test(text) ? BigInt(text).toString() : text;
  };
  const user = (kind: string): string | undefined =>
    get(`${kind}UserName`) === undefined ? undefined : `${get(`${kind}DomainName`) ?? ''}\\${get(`${kind}UserName`)}`;
  const anyone = ['', '-', undefined].includes(get('TargetUserName')) ? user('Subject') : user('Target');
  if (channel.includes('Defender')) {
    return { signature: get('Threat Name'), filename: get('Path'), action: get('Action Name') };
  }
  if (eventId === 22) return { query: get('QueryName'), answer: get('QueryResults') };
  if (eventId === 4689) return { image: get('ProcessName'), processid: decimal('ProcessId'), user: anyone };
  if (eventId === 4657) {
    const value = get('ObjectValueName');
    const key = get('ObjectName')
      ?.replace(/^\\registry\\machine/i, 'HKLM')
      .replace(/^\\registry\\user/i, 'HKU')
      .replace(/\\controlset001(?![^\\])/i, '\\CurrentControlSet');
    const types: Fields = { '%%1904': 'CreateKey', '%%1905': 'SetValue', '%%1906': 'DeleteValue' };
    return {
      targetobject: ['', '-', undefined].includes(value) ? key : `${key}\\${value}`,
      details: get('NewValue'),
      image: get('ProcessName'),
      eventtype: types[get('OperationType') ?? ''] ?? get('OperationType'),
      user: user('Subject'),
    };
  }
  if (eventId === 5156) {
    const outward = get('Direction') === '%%14593';
    const [source, destination] = outward ? ['Source', 'Dest'] : ['Dest', 'Source'];
    return {
      image: get('Application'),
      sourceip: get(`${source}Address`),
      sourceport: get(`${source}Port`),
      destinationip: get(`${destination}Address`),
      destinationport: get(`${destination}Port`),
      initiated: String(outward),
      protocol: ({ '6': 'tcp', '17': 'udp' } as Fields)[get('Protocol') ?? ''] ?? get('Protocol'),
    };
  }
  const levels: Fields = {
    0: 'Untrusted',
    4096: 'Low',
    8192: 'Medium',
    8448: 'Medium',
    12288: 'High',
    16384: 'System',
  };
  const label = get('MandatoryLabel');
  return {
    image: get('NewProcessName'),
    parentimage: get('ParentProcessName'),
    processid: decimal('NewProcessId'),
    parentprocessid: decimal('ProcessId'),
    user: anyone,
    logonid: get('SubjectLogonId'),
    integritylevel: levels[label?.split('-').at(-1) ?? ''] ?? label,
    utctime: String(system.TimeCreated_SystemTime),
  };
}

/** What the texts of a record say besides (M5 to M7). */
export function lineFields({ channel, provider, eventId, data }: FlatRecord): Fields {
  const found: Record<string, string> = {};
  const put = (line: string): void => {
    const [key = '', ...value] = line.split('=');
    const name = key.replace(/\s/g, '').toLowerCase();
    if (value.length > 0 && name !== '') found[name] ??= value.join('=').trim();
  };
  if (/sysmon/i.test(channel + provider)) {
    if (![1, 6, 7, 15, 23, 26, 29].includes(eventId)) return {};
    for (const part of String(data.Hashes ?? data.Hash ?? '').split(',')) put(part);
    return Object.fromEntries(['md5', 'sha1', 'sha256', 'imphash'].map((name) => [name, found[name]]));
  }
  if (channel.toLowerCase() === 'windows powershell' && [400, 600, 800].includes(eventId)) {
    for (const line of [data.Data].flat().join('\n').split('\n')) put(line);
    return found;
  }
  if (!/powershell.*\/operational/i.test(channel) || eventId !== 4103) return {};
  for (const line of String(data.ContextInfo ?? '').split('\n')) put(line);
  return Object.fromEntries(
    ['hostapplication', 'user', 'scriptname', 'commandname'].map((name) => [name, found[name]]),
  );
}
