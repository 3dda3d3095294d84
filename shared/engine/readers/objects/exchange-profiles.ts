import type { JsonTree } from '../json/json-tree.ts';
import type { Profile } from '../named/profile.ts';
import { webserver } from '../named/web-profiles.ts';

/** Requests that reach an Exchange server, as its front end writes them. */
const httpProxy: Profile = {
  ...webserver,
  aliases: {
    ...webserver.aliases,
    'cs-method': ['Method'],
    'cs-host': ['UrlHost'],
    'cs-uri-stem': ['UrlStem'],
    'c-uri-stem': ['UrlStem'],
    'cs-uri-query': ['UrlQuery'],
    'c-uri-query': ['UrlQuery'],
    'cs-username': ['AuthenticatedUser'],
    'cs-user-agent': ['UserAgent'],
    'c-useragent': ['UserAgent'],
    'sc-status': ['HttpStatus'],
    'c-ip': ['ClientIpAddress'],
    'cs-cookie': ['AnchorMailbox'],
  },
  head: {
    time: ['DateTime'],
    computer: ['ServerHostName', 'UrlHost'],
    service: 'Exchange front end',
    channel: ['Protocol'],
    event: ['Method'],
    record: ['RequestId'],
  },
};
const tracking: Profile = {
  source: 'exchangeTracking',
  aliases: { src_ip: ['client-ip', 'original-client-ip'], dst_ip: ['server-ip'], subject: ['message-subject'] },
  head: {
    time: ['date-time'],
    computer: ['server-hostname', 'client-hostname'],
    service: 'Exchange message tracking',
    channel: ['source'],
    event: ['event-id'],
    record: ['internal-message-id'],
  },
};

/** Exchange Online's trace of messages. */
const trace: Profile = {
  source: 'exchangeTracking',
  aliases: { src_ip: ['FromIP'], dst_ip: ['ToIP'] },
  head: {
    time: ['Received'],
    computer: ['FromIP', 'Organization'],
    service: 'Exchange Online message trace',
    event: ['Status'],
    record: ['MessageTraceId'],
  },
};

/** Tables that an Exchange server writes; undefined for anything else. */
export function exchangeProfile(record: JsonTree): Profile | undefined {
  const has = (...columns: string[]): boolean => columns.every((column) => Object.hasOwn(record, column));
  if (has('UrlStem', 'HttpStatus', 'ClientIpAddress')) return httpProxy;
  if (has('MessageTraceId', 'RecipientAddress')) return trace;
  return has('event-id', 'message-id', 'recipient-address') ? tracking : undefined;
}
