/** Tactics as Hayabusa shortens them, of all its versions. */
const shortTactics: Readonly<Record<string, string>> = {
  recon: 'reconnaissance',
  resdev: 'resource-development',
  initaccess: 'initial-access',
  exec: 'execution',
  persis: 'persistence',
  privesc: 'privilege-escalation',
  evas: 'defense-evasion',
  defevas: 'defense-evasion',
  stealth: 'stealth',
  defimpair: 'defense-impairment',
  credaccess: 'credential-access',
  disc: 'discovery',
  latmov: 'lateral-movement',
  collect: 'collection',
  c2: 'command-and-control',
  exfil: 'exfiltration',
  impact: 'impact',
};

/** A tactic by its name, whole or short, as Sigma tags it. */
export function tacticTag(name: string): string {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^attack\./, '')
    .replaceAll(/[_ ]/g, '-');
  return `attack.${Object.hasOwn(shortTactics, plain) ? shortTactics[plain]! : plain}`;
}

/** `T1059.001`, `G0016` or `S0154` as Sigma tags it; anything else as it is. */
export function techniqueTag(name: string): string {
  const plain = name.trim();
  return /^[TGS]\d{4}(?:\.\d{3})?$/i.test(plain) ? `attack.${plain.toLowerCase()}` : plain;
}

/** Name spaces of tags, by which those that were joined by dashes are told apart. */
const joint = /-(?=(?:attack|car|cve|d3fend|detection|stp|tlp)\.)/;

export function splitTags(text: string): string[] {
  return text === '' ? [] : text.split(joint);
}
