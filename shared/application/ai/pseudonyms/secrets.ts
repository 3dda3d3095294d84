/** A value in quotes, or up to the next blank or sign that ends one; the quotes are left. */
const value = String.raw`(?:"([^"\r\n]{3,400})"|'([^'\r\n]{3,400})'|([^\s"';,|&)>]{3,400}))`;
const named =
  'pass(?:word|wd|phrase)?|pwd|secret|api[-_ ]?key|access[-_ ]?key|secret[-_ ]?access[-_ ]?key|account[-_ ]?key|shared[-_ ]?access[-_ ]?key|client[-_ ]?secret|auth[-_ ]?token|access[-_ ]?token|token|credential|sig|sas';

/** Where secrets stand on command lines, in addresses and in connection strings. */
const places: readonly RegExp[] = [
  new RegExp(String.raw`(?<![\p{L}])[\p{L}\d_.-]{0,40}?(?:${named})["']?\s*(?:=|:=?)\s*${value}`, 'giu'),
  new RegExp(String.raw`(?<!\S)[-/]{1,2}(?:${named}|rp|pw|p)(?:\s+|:|=)${value}`, 'giu'),
  new RegExp(String.raw`\bnet1?(?:\.exe)?["']?\s+user\s+(?:"[^"]+"|\S+)\s+(?![/*])${value}`, 'giu'),
  new RegExp(String.raw`\bnet1?(?:\.exe)?["']?\s+use\s+(?:\S:\s+)?(?:"?\\\\\S+)\s+(?![/*])${value}`, 'giu'),
  new RegExp(String.raw`\bsshpass\s+-p\s*${value}`, 'giu'),
  new RegExp(String.raw`\bmysql(?:dump|admin)?\b[^|\n]{0,120}?\s-p${value}`, 'giu'),
  new RegExp(String.raw`(?<!\S)(?:-u|--user|-U)\s*["']?[^\s:"'%]+[:%]${value}`, 'gu'),
  new RegExp(String.raw`ConvertTo-SecureString\s+(?:-String\s+)?${value}`, 'giu'),
  new RegExp(String.raw`-hashes\s+${value}`, 'giu'),
  /[a-z][a-z\d+.-]{1,20}:\/\/[^\s/@:]{1,100}:([^\s/@]{1,200})@/giu,
  /\b(?:bearer|basic)\s+([A-Za-z\d+/_=.-]{8,2000})/giu,
  /\b((?:AKIA|ASIA)[A-Z\d]{16})\b/gu,
  /\b(eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/gu,
  /\b((?:gh[pousr]_|glpat-|xox[abprs]-|sk_live_|SG\.)[\w.-]{16,})/gu,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----([\s\S]{8,8000}?)(?:-----END|$)/gu,
];

/** What stands where a secret would, and is none: variables, masks, switches, and words for one. */
const noSecret = /^(?:\*+|x+|\$[\w:{(].*|%.*|<.*|\{.*|true|false|null|none|yes|no|\d{1,3}|0x[\da-f]{1,8}|-.*|\/.*)$/i;

/** Every secret that a text seems to give away. */
export function secretsIn(text: string): string[] {
  const found = new Set<string>();
  for (const place of places) {
    for (const [, ...groups] of text.matchAll(place)) {
      const secret = groups.find((group) => group !== undefined);
      if (secret !== undefined && !noSecret.test(secret)) found.add(secret);
    }
  }
  return [...found];
}
