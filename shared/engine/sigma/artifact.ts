import type { RuleSet } from './rule-set.ts';
import type { Rule } from './rule.ts';

/** Raised whenever compiled rules of an older engine can no longer be used. */
const version = 1;
const magic = 0x52435653;
const headerBytes = 16;

/** A rule without its text, which lies behind the rules and is read only when asked for. */
type PackedRule = Omit<Rule, 'source'> & { readonly from: number; readonly to: number };

type PackedRules = Omit<RuleSet, 'rules'> & { readonly rules: readonly PackedRule[] };

/**
 * Writes compiled rules down (detection-engine 4.3.8): header, JSON of the rules, then their own
 * documents. Loading it is far quicker than reading and compiling the YAML.
 */
export function packRules({ rules, ...rest }: RuleSet): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const sources = rules.map(({ source }) => encoder.encode(source));
  let at = 0;
  const packed = rules.map((rule, number) => {
    const from = at;
    at += sources[number]!.length;
    return { ...rule, source: undefined, from, to: at };
  });
  const json = encoder.encode(JSON.stringify({ ...rest, rules: packed }));
  const bytes = new Uint8Array(headerBytes + json.length + at);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, magic, true);
  header.setUint32(4, version, true);
  header.setUint32(8, json.length, true);
  header.setUint32(12, at, true);
  bytes.set(json, headerBytes);
  let end = headerBytes + json.length;
  for (const source of sources) {
    bytes.set(source, end);
    end += source.length;
  }
  return bytes;
}

/** Reads compiled rules; throws a `RangeError` when the bytes are none of this version. */
export function unpackRules(bytes: Uint8Array): RuleSet {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length >= headerBytes && header.getUint32(0, true) === magic;
  if (!whole) throw new RangeError('These are no compiled rules');
  if (header.getUint32(4, true) !== version) throw new RangeError('The rules were compiled by another version');
  const jsonEnd = headerBytes + header.getUint32(8, true);
  if (bytes.length !== jsonEnd + header.getUint32(12, true)) throw new RangeError('The compiled rules are cut off');
  const decoder = new TextDecoder();
  const packed = JSON.parse(decoder.decode(bytes.slice(headerBytes, jsonEnd))) as PackedRules;
  return {
    ...packed,
    rules: packed.rules.map(({ from, to, ...rule }): Rule => ({
      ...rule,
      get source() {
        return decoder.decode(bytes.slice(jsonEnd + from, jsonEnd + to));
      },
    })),
  };
}
