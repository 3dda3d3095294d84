import type { RouteNames, SourceFacts } from '../events/route.ts';
import { inputSources } from './input-sources.ts';
import type { SourceRow } from './source-row.ts';

const product = 'linux';

/** Sysmon for Linux has the event ids and field names of Sysmon for Windows (1.2.1, M9). */
const sysmonCategories: Readonly<Record<string, readonly number[]>> = {
  process_creation: [1],
  network_connection: [3],
  sysmon_status: [4, 16],
  process_termination: [5],
  raw_access_thread: [9],
  file_event: [11],
  file_delete: [23],
};

/** Whether records of a Windows-shaped route come from Sysmon for Linux. */
export function isLinuxSysmon(route: RouteNames): boolean {
  return route.provider.toLowerCase() === 'linux-sysmon';
}

/** All rows that records of Sysmon for Linux satisfy. */
export function linuxSysmonRows(route: RouteNames): SourceRow[] {
  const eventId = Number(route.eventId);
  const categories = Object.entries(sysmonCategories).filter(([, ids]) => ids.includes(eventId));
  return [
    { facts: { product } },
    { facts: { product, service: 'sysmon' } },
    ...categories.map(([category]) => ({ facts: { product, category, service: 'sysmon' } })),
  ];
}

/** Services of Linux by the programs that write to the system log, in lower case (1.2.4). */
const programServices: Readonly<Record<string, readonly string[]>> = {
  sshd: ['sshd', 'auth'],
  'sshd-session': ['sshd', 'auth'],
  'sshd-auth': ['sshd', 'auth'],
  sudo: ['sudo', 'auth'],
  cron: ['cron'],
  crond: ['cron'],
  anacron: ['cron'],
  crontab: ['cron'],
  clamd: ['clamav'],
  freshclam: ['clamav'],
  clamav: ['clamav'],
  clamscan: ['clamav'],
  vsftpd: ['vsftpd'],
  guacd: ['guacamole'],
  guacamole: ['guacamole'],
};

/** Programs whose messages go to auth.log or secure, whatever file they are found in. */
const authPrograms = new Set(
  (
    'su login passwd chpasswd useradd userdel usermod groupadd groupdel groupmod chage gpasswd newusers pkexec polkitd ' +
    'systemd-logind unix_chkpwd dropbear doas gdm-password lightdm sssd'
  ).split(' '),
);

type ProgramRows = readonly SourceFacts[];
const jvm = applications('jvm', 'spring', 'velocity');
const python = applications('python', 'django', 'sql');
const node = applications('nodejs');
const ruby = applications('ruby_on_rails');
const database: ProgramRows = [...applications('sql'), { category: 'database' }];
const router: ProgramRows = [{ product: 'juniper', service: 'bgp' }];

function applications(...products: readonly string[]): ProgramRows {
  return products.flatMap((of) => [{ product: of }, { product: of, category: 'application' }]);
}

/** What other log sources a program's messages are. */
const programFacts: Readonly<Record<string, ProgramRows>> = {
  httpd: [{ service: 'apache' }],
  apache2: [{ service: 'apache' }],
  apache: [{ service: 'apache' }],
  nginx: [{ service: 'nginx' }],
  java: jvm,
  tomcat: jvm,
  catalina: jvm,
  jboss: jvm,
  wildfly: jvm,
  python,
  python3: python,
  gunicorn: python,
  uwsgi: python,
  celery: python,
  django: python,
  node,
  nodejs: node,
  npm: node,
  pm2: node,
  rails: ruby,
  puma: ruby,
  unicorn: ruby,
  passenger: ruby,
  mysqld: database,
  mariadbd: database,
  postgres: database,
  postgresql: database,
  rpd: router,
};

const cisco: ProgramRows = ['syslog', 'bgp', 'ldp'].map((service) => ({ product: 'cisco', service }));

/** What the text of a message tells of where it comes from. */
const textFacts = {
  cisco,
  ciscoAaa: [...cisco, { product: 'cisco', service: 'aaa' }],
  huawei: [{ product: 'huawei', service: 'bgp' }],
  juniper: router,
  paloalto: inputSources.globalprotect,
  java: jvm,
  python,
  node,
} satisfies Readonly<Record<string, ProgramRows>>;

export type MessageText = keyof typeof textFacts;

const authFacilities = new Set([4, 10]);

/**
 * The facts of a message of the system log or the journal (1.2.4).
 * @param program as the message names it, with or without a path; empty when it names none.
 * @param facility its number; null when the message has none.
 * @param text what its text tells, if anything.
 */
export function messageFacts(program: string, facility: number | null, text: MessageText | null): SourceFacts[] {
  const name = program.slice(program.lastIndexOf('/') + 1).toLowerCase();
  const services = new Set(['syslog', ...(ownOf(programServices, name) ?? [])]);
  if (authPrograms.has(name) || (facility !== null && authFacilities.has(facility))) services.add('auth');
  const facts: SourceFacts[] = [{ product }, ...[...services].map((service) => ({ product, service }))];
  return [...facts, ...(ownOf(programFacts, name) ?? []), ...(text === null ? [] : textFacts[text])];
}

function ownOf<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Every fact that the inputs of Linux can satisfy. */
export const linuxFacts: readonly SourceFacts[] = [
  { product },
  ...['auditd', 'sysmon', 'syslog', ...Object.values(programServices).flat()].map((service) => ({ product, service })),
  ...Object.keys(sysmonCategories).map((category) => ({ product, category, service: 'sysmon' })),
  ...['process_creation', 'file_event', 'network_connection'].map((category) => ({
    product,
    category,
    service: 'auditd',
  })),
  ...Object.values(programFacts).flat(),
  ...Object.values<ProgramRows>(textFacts).flat(),
];
