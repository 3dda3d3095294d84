/** The made-up company of the sample logs. Addresses are RFC 1918 and RFC 5737, names end in `.example`. */
export const domain = {
  name: 'HARROWPELL',
  dns: 'corp.harrowpell.example',
  realm: 'CORP.HARROWPELL.EXAMPLE',
  sid: 'S-1-5-21-2871944130-1183906221-3504417782',
} as const;

export const hosts = {
  workstation: { name: 'WS-FIN-07', ip: '10.20.7.41' },
  controller: { name: 'DC01', ip: '10.20.0.10' },
  controller2: { name: 'DC02', ip: '10.20.0.11' },
  files: { name: 'SRV-FILE02', ip: '10.20.1.22' },
  database: { name: 'SRV-SQL01', ip: '10.20.1.30' },
  proxy: { name: 'proxy', ip: '10.20.0.25' },
} as const;

/** What the intruder uses. */
export const intruder = {
  delivery: 'cdn.freight-docs.example',
  control: 'telemetry.freight-docs.example',
  address: '203.0.113.44',
  storage: 'eu-2.coldvault.example',
  storageAddress: '198.51.100.61',
} as const;

export interface Person {
  readonly account: string;
  readonly sid: string;
}

function person(account: string, rid: number): Person {
  return { account, sid: `${domain.sid}-${rid}` };
}

export const people = {
  finance: person('m.okafor', 1164),
  accounts: person('a.mensah', 1171),
  admin: person('t.lindqvist', 1188),
  gone: person('j.ferreira', 1139),
  sql: person('svc_sql', 1203),
  backup: person('svc_backup', 1204),
  planted: person('svc_hpmon', 2217),
} as const;

/** Process ids of what both parts of a log name. */
export const pids = { system: 4, defender: 3180, explorer: 5212, outlook: 9704 } as const;

/** Process ids of the PowerShell instances that both Sysmon and PowerShell itself log. */
export const shells = { stager: 8364, elevated: 10244, defender: 6120, inventory: [5548, 11812] } as const;

export function fullName(host: { readonly name: string }): string {
  return `${host.name}.${domain.dns}`;
}

export const localSystem = 'S-1-5-18';

/** A time of the day on which it happens, a Tuesday, in UTC: milliseconds since 1970. */
export function at(clock: string): number {
  return Date.parse(`2026-11-17T${clock}Z`);
}

/** ISO 8601 with seven digits; the last four come from `ticks` (100 ns each). */
export function isoTime(time: number, ticks: number): string {
  return new Date(time).toISOString().replace('Z', `${String(ticks).padStart(4, '0')}Z`);
}
