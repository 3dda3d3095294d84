/** A value of a database in MaxMind's format. */
type Value = string | number | { readonly [key: string]: Value } | readonly string[];

/** A database in MaxMind's format of IPv4 networks, each with what is known of it. */
export function mmdbOf(networks: readonly (readonly [address: string, bits: number, value: Value])[]): Buffer {
  const nodes: [number | null, number | null][] = [[null, null]];
  const data: Buffer[] = [];
  const offsets = new Map<string, number>();
  let size = 0;
  const leaves: [node: number, side: 0 | 1, offset: number][] = [];
  for (const [address, bits, value] of networks) {
    const text = JSON.stringify(value);
    let offset = offsets.get(text);
    if (offset === undefined) {
      offset = size;
      offsets.set(text, offset);
      const bytes = encoded(value);
      data.push(bytes);
      size += bytes.length;
    }
    const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    let node = 0;
    for (let bit = 0; bit < bits; bit += 1) {
      const side = (Math.floor(number / 2 ** (31 - bit)) % 2) as 0 | 1;
      if (bit === bits - 1) {
        leaves.push([node, side, offset]);
        break;
      }
      nodes[node]![side] ??= nodes.push([null, null]) - 1;
      node = nodes[node]![side]!;
    }
  }
  const count = nodes.length;
  const tree = Buffer.alloc(count * 8);
  for (const [at, [left, right]] of nodes.entries()) {
    tree.writeUInt32BE(left ?? count, at * 8);
    tree.writeUInt32BE(right ?? count, at * 8 + 4);
  }
  for (const [node, side, offset] of leaves) tree.writeUInt32BE(count + 16 + offset, node * 8 + side * 4);
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_785_000_000,
    database_type: 'Test',
    ip_version: 4,
    languages: ['en'],
    node_count: count,
    record_size: 32,
  });
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    ...data,
    Buffer.from('\u{ab}\u{cd}\u{ef}MaxMind.com', 'latin1'),
    metadata,
  ]);
}

function encoded(value: Value): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([control(2, text.length), text]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([control(11, value.length), ...value.map(encoded)]);
  const pairs = Object.entries(value);
  return Buffer.concat([control(7, pairs.length), ...pairs.flatMap(([key, one]) => [encoded(key), encoded(one)])]);
}

function control(type: number, size: number): Buffer {
  const [kept, more] = size < 29 ? [size, []] : [29, [size - 29]];
  return Buffer.from(type < 8 ? [(type << 5) | kept, ...more] : [kept, type - 7, ...more]);
}
