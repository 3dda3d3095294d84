/** Names that every network has: they betray nobody, and analyses need them. */
const generic = new Set(
  [
    'administrator,admin,admins,administrators,guest,root,system,local service,network,network service',
    'anonymous logon,anonymous,everyone,public,default,defaultaccount,all users,default user,user,users',
    'nobody,daemon,www-data,sshd,postgres,mysql,krbtgt,wdagutilityaccount,defaultapppool,local system',
    'localsystem,service,services,unset,nt authority,nt service,nt virtual machine,builtin,workgroup',
    'iis apppool,azuread,window manager,font driver host,microsoftaccount,local,localhost,localdomain',
    'host,domain,application package authority,computers,domain admins,domain users,domain computers',
    'schema,domain controllers,enterprise admins,configuration,policies,sites,unknown,none,null,(null)',
    'n/a,true,false,corp,lan,home,internal,intranet,intra,ad,lab,arpa,example,test,com,net,org,system32',
    'windows,microsoft,desktop,shared,temp,tmp',
  ].flatMap((names) => names.split(',')),
);

/** Whether a name says nothing of whose it is: numbers, single signs and what is everywhere. */
export function isGeneric(name: string): boolean {
  return (
    name.length < 2 ||
    generic.has(name.toLowerCase()) ||
    /^(?:-?\d{1,5}|0x[0-9a-f]+|[\W_]+|(?:dwm|umfd)-\d+|s-1-[\d-]{1,20}|%+\w+%*)$/i.test(name)
  );
}

/** Where people have their mail or machines, whoever they are: no network's own. */
const publicDomains =
  /(?:^|\.)(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|proton|protonmail|gmx|aol|mail|amazonaws|azure|azurewebsites|cloudapp|googleusercontent|windows|microsoft|microsoftonline|office365|office|sharepoint|cloudfront|onmicrosoft)\.[a-z]{2,3}$/i;

/** Domains that only exist within a network. */
const ownSuffix = /\.(?:local|localdomain|lan|internal|intranet|intra|corp|home|private|ad|lab|home\.arpa)$/i;

const registry = /^(?:co|com|org|net|ac|gov|edu|or|ne|go)\.[a-z]{2}$/i;

export function isPublicDomain(domain: string): boolean {
  return publicDomains.test(domain);
}

export function hasOwnSuffix(domain: string): boolean {
  return ownSuffix.test(domain);
}

/** A domain and those above it that are somebody's: `a.b.example.org` is in `b.example.org` and `example.org`. */
export function domainsAbove(domain: string): string[] {
  const labels = domain.split('.').slice(-10);
  return labels
    .map((_, at) => labels.slice(at).join('.'))
    .filter((one) => one.includes('.') && !registry.test(one) && !isPublicDomain(one) && !/^home\.arpa$/i.test(one));
}
