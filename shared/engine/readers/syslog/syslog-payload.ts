/** How much of a message is looked at. */
export const longestPayload = 65_536;

/** Names a value found in a message. */
export type AddValue = (name: string, text: string) => void;

const element = /\[([^\s"[\]=]+)((?: +[^\s"\]=]+="(?:[^"\\]|\\.)*")*) *\]/gs;
const parameter = /([^\s"\]=]+)="((?:[^"\\]|\\.)*)"/gs;

/** Parameters of RFC 5424's structured data, named `SDID.parameter`. */
export function structuredValues(text: string, add: AddValue): void {
  for (const [, id, parameters] of text.matchAll(element)) {
    for (const [, name, value] of parameters!.matchAll(parameter)) {
      add(`${id}.${name}`, value!.replace(/\\(["\\\]])/g, '$1'));
    }
  }
}

const sudoPair = /(?:^| : | ; )([A-Z]+)=((?:(?! ; ).)*)/gs;

/** `alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/bin/sh -c x`; a command may hold anything. */
function sudoValues(message: string, add: AddValue): void {
  const user = /^\s*(\S+) : /.exec(message)?.[1];
  if (user !== undefined) add('user', user);
  const command = message.indexOf('COMMAND=');
  const before = command < 0 ? message : message.slice(0, command);
  for (const [, name, value] of before.matchAll(sudoPair)) add(name!, value!.trimEnd().replace(/ ;$/, ''));
  if (command >= 0) add('COMMAND', message.slice(command + 8));
}

const sshdLogin = /^(Accepted|Failed) (\S+) for (?:invalid user )?(.{0,256}?) from (\S+) port (\d+)/s;
const sshdUser =
  /^(?:Invalid user|Connection (?:closed|reset) by (?:authenticating|invalid) user) (.{0,256}?)(?: from)? ([\da-fA-F.:]+)(?: port (\d+))?/s;
const sshdFrom = /\b(?:from|by) ((?:\d{1,3}\.){3}\d{1,3}|[\da-fA-F]*:[\da-fA-F:.]+)(?: port (\d+))?/;

/** Who came from where, and how. */
function sshdValues(message: string, add: AddValue): void {
  const text = message.trimStart();
  const [, result, method, user, address, port] = sshdLogin.exec(text) ?? [];
  if (result !== undefined) {
    add('action', result);
    add('auth_method', method!);
    add('user', user!);
    add('src_ip', address!);
    add('src_port', port!);
    return;
  }
  const named = sshdUser.exec(text);
  if (named !== null) add('user', named[1]!);
  const [from, fromPort] = named?.slice(2) ?? sshdFrom.exec(text)?.slice(1) ?? [];
  if (from !== undefined) add('src_ip', from);
  if (fromPort !== undefined) add('src_port', fromPort);
}

const vsftpdLine = /^(?:\[([^\]]*)\] )?(?:(OK|FAIL) )?([A-Z]+): Client "([^"]*)"(?:, "([^"]*)")?/;

/** `[jean] OK UPLOAD: Client "192.168.1.9", "/home/jean/a", 100 bytes`. */
function vsftpdValues(message: string, add: AddValue): void {
  const [, user, result, action, client, path] = vsftpdLine.exec(message) ?? [];
  const values = { user, result, action, src_ip: client, path };
  for (const [name, value] of Object.entries(values)) if (value !== undefined) add(name, value);
}

/** What messages of these programs hold, beside their text. */
export const payloads: ReadonlyMap<string, (message: string, add: AddValue) => void> = new Map([
  ['sudo', sudoValues],
  ['sshd', sshdValues],
  ['sshd-session', sshdValues],
  ['vsftpd', vsftpdValues],
]);
