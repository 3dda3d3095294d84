import type { Profile, TextOf } from './profile.ts';

/** Fields of T-web and T-proxy whose percent-encoding is decoded for a second value. */
export const webDecoded: ReadonlySet<string> = new Set([
  'cs-uri',
  'cs-uri-stem',
  'cs-uri-query',
  'cs-referer',
  'cs-referrer',
  'c-uri',
  'c-uri-stem',
  'c-uri-query',
  'uri',
]);

/** Spellings of T-web and T-proxy names; each is an alias of all others on its line. */
const spellings: readonly (readonly string[])[] = [
  [
    'cs-user-agent',
    'cs(User-Agent)',
    'c-useragent',
    'user_agent',
    'http_user_agent',
    'userAgent',
    'user_agent.original',
  ],
  [
    'cs-referer',
    'cs-referrer',
    'cs(Referer)',
    'cs(Referrer)',
    'referrer',
    'referer',
    'http_referer',
    'http.request.referrer',
  ],
  ['cs-cookie', 'cs(Cookie)', 'cookie'],
  ['cs-content-type', 'cs(Content-Type)'],
  ['cs-host', 'cs(Host)', 'r-dns', 'host', 'http_host', 'server_name', 'url.domain'],
  [
    'cs-method',
    'method',
    'request_method',
    'httpMethod',
    'properties.httpMethod',
    'http.request.method',
    'request.method',
  ],
  ['cs-username', 'username', 'remote_user', 'user.name'],
  ['cs-version', 'version', 'server_protocol', 'httpVersion', 'properties.httpVersion', 'http.version'],
  [
    'c-ip',
    'src_ip',
    'remote_addr',
    'clientip',
    'client_ip',
    'clientIP',
    'properties.clientIP',
    'source.ip',
    'request.remote_ip',
    'id.orig_h',
  ],
  ['s-ip', 'r-ip', 'dst_ip', 'destination.ip', 'server_ip', 'id.resp_h'],
  [
    'sc-status',
    'status',
    'status_code',
    'httpStatus',
    'properties.httpStatus',
    'http.response.status_code',
    'response',
  ],
  ['sc-bytes', 'bytes', 'body_bytes_sent', 'bytes_sent', 'properties.sentBytes', 'http.response.body.bytes'],
  ['cs-uri-stem', 'c-uri-stem', 'cs-uri-path', 'url.path', 'properties.requestUri'],
  ['cs-uri-query', 'c-uri-query', 'query_string', 'args', 'url.query', 'properties.requestQuery'],
  ['cs-uri', 'uri', 'request_uri', 'url.original', 'properties.originalRequestUriWithArgs', 'request.uri'],
  ['c-uri', 'cs-url', 'url', 'url.full'],
  ['cs-uri-extension', 'c-uri-extension', 'url.extension'],
  ['time-taken', 'request_time', 'duration'],
];

export const webAliases: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  spellings.flatMap((names) => names.map((name) => [name.toLowerCase(), names.filter((other) => other !== name)])),
);

/** What follows from other fields of a request. */
const webDerived: NonNullable<Profile['derived']> = {
  'cs-uri': target,
  'c-uri': address,
  'cs-uri-stem': stem,
  'c-uri-stem': stem,
  'cs-uri-query': query,
  'c-uri-query': query,
  'cs-host': server,
  'r-dns': server,
  'cs-uri-extension': extension,
  'c-uri-extension': extension,
};

/** Path and query. */
function target(text: TextOf): string | undefined {
  const path = text('cs-uri-stem');
  const asked = text('cs-uri-query') ?? '-';
  if (path === undefined) return text('url');
  return asked === '-' || asked === '' ? path : `${path}?${asked}`;
}

/** The whole address, as far as the log tells of it. */
function address(text: TextOf): string | undefined {
  const uri = text('cs-uri');
  const host = text('cs-host');
  if (uri === undefined || host === undefined || !uri.startsWith('/')) return uri;
  return `${text('cs-uri-scheme') ?? 'http'}://${host}${uri}`;
}

function stem(text: TextOf): string | undefined {
  return written(text)?.split('?', 1)[0];
}

function query(text: TextOf): string | undefined {
  const uri = written(text) ?? '';
  const mark = uri.indexOf('?');
  return mark < 0 ? undefined : uri.slice(mark + 1);
}

function extension(text: TextOf): string | undefined {
  return /\.([\w-]{1,16})$/.exec(text('cs-uri-stem') ?? '')?.[1];
}

/** Name of the server in a whole address. */
function server(text: TextOf): string | undefined {
  return /^\w{1,8}:\/\/([^/:?#\s]+)/.exec(text('url') ?? '')?.[1];
}

/** The target as the log has it in one piece. */
function written(text: TextOf): string | undefined {
  return text('uri') ?? text('url');
}

function web(source: Profile['source'], service: string): Profile {
  return {
    source,
    aliases: webAliases,
    derived: webDerived,
    decoded: webDecoded,
    head: {
      time: ['time_iso8601', '@timestamp', 'timestamp', 'timeStamp', 'time_local', 'time', 'ts'],
      computer: ['s-computername', 'cs-host', 's-ip', 'c-ip'],
      service,
      event: ['cs-method'],
    },
  };
}

export const webserver = web('webserver', 'web access');
export const proxy = web('proxy', 'proxy');
export const webOrProxy = web('webOrProxy', 'web access');

function errors(source: Profile['source'], service: string): Profile {
  return { source, decoded: webDecoded, head: { time: ['time'], computer: [], service, event: ['level'] } };
}

export const apacheError = errors('apacheError', 'apache error');
export const nginxError = errors('nginxError', 'nginx error');
