import { eachField } from '../csv/csv-fields.ts';
import { decodePlain } from '../xml/xml-text.ts';

const COMMA = 0x2c;
const longestBegin = 128;
/** Format, time, serial number and kind, as PAN-OS begins its records. */
const begin = /(?:^|[\s:>])(\d,\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d,[^,\s]*,([A-Z][A-Z-]+),)/;

const ends =
  'src_ip dst_ip nat_src_ip nat_dst_ip rule src_user dst_user app vsys from_zone to_zone inbound_if outbound_if log_action ' +
  '- session_id repeat_count src_port dst_port nat_src_port nat_dst_port flags proto action';
/** Columns by the kind of record, behind those that all kinds have; `-` for one without a name. */
const columns: Readonly<Record<string, string>> = {
  TRAFFIC: `${ends} bytes bytes_sent bytes_received packets start_time elapsed category`,
  THREAT: `${ends} misc threat_id category severity direction`,
  SYSTEM: 'vsys event_id object - - module severity description',
  CONFIG: 'host vsys cmd admin client result path',
  GLOBALPROTECT:
    'vsys event_id stage auth_method tunnel_type src_user src_region machine_name public_ip public_ipv6 private_ip ' +
    'private_ipv6 host_id serial_number client_ver client_os client_os_ver repeat_count reason error description status',
  USERID: 'vsys ip user data_source_name event_id',
};
const common = ['-', 'receive_time', 'serial', 'type', 'subtype', '-', 'time_generated'];
const namesOf = new Map(Object.entries(columns).map(([kind, names]) => [kind, [...common, ...names.split(' ')]]));

/** Kind of a record of PAN-OS, and where it begins; undefined where the line has none near its begin. */
export function panOsBegin(text: string): { readonly kind: string; readonly at: number } | undefined {
  const found = begin.exec(text.slice(0, longestBegin));
  return found === null ? undefined : { kind: found[2]!, at: found.index + found[0].length - found[1]!.length };
}

/** Visits the columns of a record of PAN-OS that have names. */
export function eachColumn(
  bytes: Uint8Array,
  start: number,
  end: number,
  kind: string,
  take: (name: string, start: number, end: number) => void,
): void {
  const names = namesOf.get(kind) ?? common;
  let at = 0;
  eachField(bytes, start, end, COMMA, (from, to) => {
    const name = names[at++];
    if (name !== undefined && name !== '-') take(name, from, to);
  });
}

/** The columns of a record of PAN-OS in a message. */
export function panOsValues(message: string, add: (name: string, text: string) => void): void {
  const found = panOsBegin(message);
  if (found === undefined) return;
  const bytes = new TextEncoder().encode(message.slice(found.at));
  eachColumn(bytes, 0, bytes.length, found.kind, (name, start, end) => {
    if (end > start) add(name, decodePlain(bytes, start, end - start).replaceAll('""', '"'));
  });
}
