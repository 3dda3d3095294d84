// Writes shared/domain/attack/attack.json from MITRE's STIX bundle of a version of enterprise ATT&CK:
//   node scripts/attack-data.mjs enterprise-attack-18.1.json 18.1
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

const [bundle, version] = process.argv.slice(2);
if (bundle === undefined || version === undefined) {
  console.error('usage: node scripts/attack-data.mjs BUNDLE VERSION');
  process.exit(2);
}

/**
 * What version 19 gave another id, with the technique of this version that rules then mean: its predecessor
 * ("revoked-by" in MITRE's bundle of version 19), or what it was split from.
 */
const later = {
  'T1684.001': 'T1656',
  'T1684.002': 'T1672',
  T1685: 'T1562.001',
  'T1685.001': 'T1562.002',
  'T1685.002': 'T1562.008',
  'T1685.003': 'T1562.011',
  'T1685.004': 'T1562.012',
  'T1685.005': 'T1070.001',
  'T1685.006': 'T1070.002',
  T1686: 'T1562.004',
  'T1686.001': 'T1562.007',
  'T1686.002': 'T1562.013',
  'T1686.003': 'T1562.004',
  T1688: 'T1562.009',
  T1689: 'T1562.010',
  T1690: 'T1562.003',
};

const { objects } = JSON.parse(readFileSync(bundle, 'utf8'));
const patterns = new Map(objects.filter(({ type }) => type === 'attack-pattern').map((one) => [one.id, one]));
const idOf = ({ external_references: references }) =>
  references.find(({ source_name: source }) => source === 'mitre-attack').external_id;
const successors = new Map(
  objects
    .filter(({ relationship_type: type, source_ref: source }) => type === 'revoked-by' && patterns.has(source))
    .map(({ source_ref: source, target_ref: target }) => [idOf(patterns.get(source)), idOf(patterns.get(target))]),
);
const last = (id) => (successors.has(id) ? last(successors.get(id)) : id);

const techniques = Object.fromEntries(
  [...patterns.values()]
    .filter(({ revoked }) => !revoked)
    .map((pattern) => [
      idOf(pattern),
      {
        name: pattern.name,
        tactics: pattern.kill_chain_phases.map(({ phase_name: phase }) => phase.replaceAll('-', '_')),
      },
    ])
    .sort(byId),
);
const renamed = Object.fromEntries(
  [...[...successors.keys()].map((id) => [id, last(id)]), ...Object.entries(later)].sort(byId),
);
const notice =
  '© 2025 The MITRE Corporation. This work is reproduced and distributed with the permission of The MITRE Corporation.';
writeFileSync(
  join(root, 'shared/domain/attack/attack.json'),
  `${JSON.stringify({ version, notice, techniques, renamed })}\n`,
);

function byId([a], [b]) {
  return a < b ? -1 : 1;
}
