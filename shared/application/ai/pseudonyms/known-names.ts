import type { JobFacts } from '../brief/job-facts.ts';

/** Names of the own network as the product knows them. */
export interface KnownNames {
  readonly hosts: readonly string[];
  /** With or without their domain: `CORP\\alice`, `alice@corp.example`, an ARN. */
  readonly users: readonly string[];
  readonly domains: readonly string[];
  /** Public addresses and domains that people have tagged as their own. */
  readonly marked?: readonly string[];
}

/** Fields that name what is of the own network. */
const fieldKinds: readonly (readonly [RegExp, 'hosts' | 'users' | 'domains'])[] = [
  [/(?:^|\.)(?:.*UserName|User|AccountName|SamAccountName|UserId|acct|auid|uid|ParentUser|MemberName)$/i, 'users'],
  [
    /(?:^|\.)(?:Computer|ComputerName|Workstation(?:Name)?|SourceHostname|host|node|TargetServerName|hostname)$/i,
    'hosts',
  ],
  [/(?:^|\.)(?:.*DomainName|UserDomain)$/i, 'domains'],
];

/** What the reports of some jobs, and their sample events, name as accounts, hosts and their domains. */
export function knownNames(jobs: readonly JobFacts[]): KnownNames {
  const found = { hosts: new Set<string>(), users: new Set<string>(), domains: new Set<string>() };
  for (const { own, events } of jobs) {
    for (const user of own.users) found.users.add(user);
    for (const host of own.hosts) found.hosts.add(host);
    for (const event of [...events.values()].flat()) {
      if (event.computer !== null) found.hosts.add(event.computer);
      for (const [name, value] of Object.entries(event.fields)) {
        const kind = typeof value === 'string' ? fieldKinds.find(([field]) => field.test(name))?.[1] : undefined;
        if (kind !== undefined) found[kind].add(String(value));
      }
    }
  }
  return { hosts: [...found.hosts], users: [...found.users], domains: [...found.domains] };
}
