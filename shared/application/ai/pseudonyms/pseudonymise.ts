import { addressesIn, ipCategory } from '@svc/engine';
import type { Pseudonym } from '../prompt.ts';
import { domainsAbove, hasOwnSuffix, isGeneric, isPublicDomain } from './generic-names.ts';
import type { KnownNames } from './known-names.ts';
import { NameTable, standInStart } from './name-table.ts';
import { secretsIn } from './secrets.ts';

/**
 * The text with stand-ins for what would tell whose network it is from: hosts, accounts, domains, private addresses and
 * secrets, wherever they stand. What attackers bring along stays: public addresses and domains, hashes, paths, tools.
 */
export function pseudonymise(text: string, known: KnownNames): { text: string; pseudonyms: readonly Pseudonym[] } {
  const names = new OwnNames(known, text);
  const replaced = names.table.replaceIn(text);
  return { text: replaced, pseudonyms: names.table.given };
}

const fqdn = /(?<![\w.-])((?:[a-z\d](?:[a-z\d-]{0,62})\.){1,8}[a-z][a-z\d-]{1,62})(?![\w-])/gi;
const publicish = /\.[a-z]{2,}$/i;

class OwnNames {
  readonly table = new NameTable();
  readonly #domains = new Set<string>();
  /** What stands before the backslash of an account. */
  readonly #realms = new Set<string>();

  constructor({ hosts, users, domains, marked = [] }: KnownNames, text: string) {
    this.table.add('TEXT', standInStart);
    for (const one of marked) {
      if (addressesIn(one).length > 0) this.table.add('ADDR', one);
      else this.#domain(one);
    }
    for (const domain of domains) this.#domain(domain);
    for (const host of hosts) this.#host(host);
    for (const user of users) this.#user(user);
    this.#fromNames(text);
    this.#fromPlaces(text);
    this.#fromAccounts(text);
    this.#fromAddresses(text);
    for (const secret of secretsIn(text)) this.table.add('SECRET', secret);
    this.#fromBlobs(text);
  }

  #host(given: string): void {
    const host = given.trim().replace(/\$$/, '').replace(/\.$/, '');
    if (isGeneric(host) || addressesIn(host).length > 0 || /[\s\\/]/.test(host)) return;
    const [label = '', ...rest] = host.split('.');
    if (rest.length > 0) this.#domain(rest.join('.'));
    if (!isGeneric(label)) this.table.add('HOST', label);
    this.#realms.add(label.toLowerCase());
  }

  #domain(given: string): void {
    const domain = given.trim().replace(/\.$/, '');
    if (isGeneric(domain) || isPublicDomain(domain) || addressesIn(domain).length > 0 || /[\\/@]/.test(domain)) {
      return;
    }
    this.#realms.add(domain.toLowerCase());
    if (!domain.includes('.')) {
      this.table.add('DOMAIN', domain);
      return;
    }
    for (const one of domainsAbove(domain)) {
      this.#domains.add(one.toLowerCase());
      this.table.add('DOMAIN', one);
      const label = one.split('.')[0]!;
      // The name of the house itself, which stands in many places without what follows it.
      if (!isGeneric(label) && label.length >= 4) this.table.add('DOMAIN', label);
      if (!isGeneric(label)) this.#realms.add(label.toLowerCase());
    }
  }

  #user(given: string): void {
    const user = given.trim();
    const arn = /^arn:[^:]*:[^:]*:[^:]*:(\d{12}):(.*)$/.exec(user);
    if (arn) {
      this.table.add('ACCOUNT', arn[1]!);
      for (const part of arn[2]!.split('/').slice(1)) this.#account(part);
      return;
    }
    const [realm, account] = user.split(/\\(.*)/s);
    if (account !== undefined) {
      if (/nt (?:authority|service)|builtin|window manager|font driver host/i.test(realm!)) return;
      this.#domain(realm!);
      this.#user(account);
      return;
    }
    const at = /^([^@\s]+)@([\w.-]+)$/.exec(user);
    if (at) {
      this.#domain(at[2]!);
      this.#account(at[1]!);
      return;
    }
    this.#account(user);
  }

  #account(given: string): void {
    const account = given.trim();
    if (account.endsWith('$')) this.#host(account);
    else if (/^s-1-/i.test(account) || addressesIn(account).length > 0) return;
    else if (!isGeneric(account)) this.table.add('USER', account);
  }

  /** Domains of the own network, and hosts below them. */
  #fromNames(text: string): void {
    for (const [, name] of text.matchAll(fqdn)) if (hasOwnSuffix(name!)) this.#host(name!);
    for (const [written, ...parts] of text.matchAll(/DC=([\w-]+)(?:,\s?DC=([\w-]+)){1,9}/gi)) {
      const labels = [...written.matchAll(/DC=([\w-]+)/gi)].map(([, label]) => label!);
      if (parts.length > 0 && labels.length > 1) {
        this.#domain(labels.join('.'));
        this.table.add('DOMAIN', written, labels.join('.'));
      }
    }
    for (const [, name] of text.matchAll(/CN=([^,=|"\r\n]{2,64}),\s?(?:CN|OU|DC)=/gi)) this.#account(name!);
    for (const [, name] of text.matchAll(fqdn)) {
      const domain = domainsAbove(name!).find((one) => this.#domains.has(one.toLowerCase()));
      if (domain === undefined || domain.length === name!.length) continue;
      for (const label of name!.slice(0, -domain.length - 1).split('.'))
        if (!isGeneric(label) && !/^(?:www|mail|_\w+)$/i.test(label)) this.table.add('HOST', label);
    }
  }

  /** Hosts and accounts by where they stand. */
  #fromPlaces(text: string): void {
    const hosts = [
      /(?<!\\)\\\\{1,3}(?![?.]\\)([\w.-]{2,255})(?=[\\@\s"'|]|$)/g,
      /(?:-(?:ComputerName|cn|server|dc)|\/node)[\s:=]+["']?(?:\\\\)?([\w.-]{2,255})/gi,
      /\b(ip-\d{1,3}(?:-\d{1,3}){3})\b/gi,
    ];
    for (const place of hosts)
      for (const [, host] of text.matchAll(place)) if (!publicish.test(host!)) this.#host(host!);
    const users = [
      /[\\/](?:Users|Documents and Settings)[\\/]{1,2}([^\\/"'|<>:*?\r\n]{2,64})(?=[\\/"'|\s]|$)/gi,
      /(?<![\w.])\/home\/([^\s/"'|<>:]{2,64})/g,
      /(?<!\S)(?:-{1,2}|\/)(?:user(?:name)?|u|ru|credential)[\s:=]+["']?([^\s"'|,;:%]{2,128})/gi,
    ];
    for (const place of users) for (const [, user] of text.matchAll(place)) this.#user(user!);
    for (const [, domain] of text.matchAll(/\b(S-1-5-21-\d+-\d+-\d+)/gi)) this.table.add('SID', domain!);
    for (const [, sid] of text.matchAll(/\b(S-1-12-1(?:-\d+){2,6})/gi)) this.table.add('SID', sid!);
    for (const [, account] of text.matchAll(/\barn:aws[\w-]*:[^:\s]*:[^:\s]*:(\d{12})\b/gi))
      this.table.add('ACCOUNT', account!);
    for (const [, user] of text.matchAll(/\barn:aws[\w-]*:(?:iam|sts)::\d{12}:(?:user|assumed-role)\/([^\s"'|;,)]+)/gi))
      for (const part of user!.split('/')) this.#account(part);
  }

  /** `REALM\account` and `account@realm` of realms that are known by now. */
  #fromAccounts(text: string): void {
    for (const [, realm, account] of text.matchAll(/(?<![\w\\:.-])([\w.-]{2,64})\\{1,2}([\w.$-]{2,64})/g))
      if (this.#realms.has(realm!.toLowerCase())) this.#account(account!);
    for (const [, account, realm] of text.matchAll(/([\w.+$-]{2,64})@([\w.-]{2,255})/g))
      if (this.#realms.has(realm!.toLowerCase().replace(/\.$/, ''))) this.#account(account!);
  }

  #fromAddresses(text: string): void {
    const written = text.matchAll(/(?<![\w.:])[\da-f]*(?:[:.][\da-f]*){2,8}(?![\w])/gi);
    for (const [candidate] of [...written, ...text.matchAll(/(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/g)]) {
      const address = candidate.replace(/(?<!:)[.:]$/, '');
      const [canonical] = addressesIn(address);
      if (canonical !== undefined && isOwn(canonical)) {
        // `10.0.0.5:443` is the address and a port.
        const bare = canonical.includes('.') ? (/\d{1,3}(?:\.\d{1,3}){3}/.exec(address)?.[0] ?? address) : address;
        this.table.add('ADDR', bare, canonical);
      }
    }
    for (const [dashed, ...bytes] of text.matchAll(/(?<![\w-])(\d{1,3})-(\d{1,3})-(\d{1,3})-(\d{1,3})(?![\w-])/g))
      if (isOwn(bytes.join('.'))) this.table.add('ADDR', dashed, bytes.join('.'));
    for (const [, turned] of text.matchAll(/(\d{1,3}(?:\.\d{1,3}){3})\.in-addr\.arpa/gi)) {
      const address = turned!.split('.').reverse().join('.');
      if (isOwn(address)) this.table.add('ADDR', turned!, address);
    }
  }

  /** Encoded text that names any of them, or gives a secret away. */
  #fromBlobs(text: string): void {
    for (const [blob] of text.matchAll(/(?<![\w+/])[A-Za-z\d+/]{16,}={0,2}/g)) {
      if (/^[\da-f]+$/i.test(blob)) continue;
      const bytes = Buffer.from(blob, 'base64');
      const readings = [bytes.toString('utf16le'), bytes.subarray(1).toString('utf16le'), bytes.toString('latin1')];
      if (readings.some((reading) => this.table.isIn(reading, 4) || secretsIn(reading).length > 0))
        this.table.add('BLOB', blob);
    }
  }
}

function isOwn(address: string): boolean {
  const category = ipCategory(address);
  return category === 'rfc1918' || category === 'cgnat' || (category === 'link_local' && address !== '169.254.169.254');
}
