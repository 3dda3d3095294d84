import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from './peers-measure.ts';
import { type Peer, zircoliteConversion } from './peers.ts';

/**
 * Zircolite's form of a folder of Sigma rules, converted once and kept.
 * @param pipelines those of pySigma, in order: they say which events and fields a log source means.
 * @returns the path of the converted rules.
 */
export function convertedRules(peer: Peer, rules: string, folder: string, pipelines: readonly string[]): string {
  const converted = join(folder, `${pipelines.join('-')}.json`);
  if (existsSync(converted)) return converted;
  mkdirSync(folder, { recursive: true });
  const hunt = {
    logs: join(process.cwd(), 'config/samples/intrusion-powershell.evtx'),
    rules: [rules],
    output: join(folder, 'conversion.json'),
  };
  measure(zircoliteConversion(peer, hunt, pipelines, folder), folder);
  const made = readdirSync(folder).find((name) => name.startsWith('ruleset-'));
  if (made === undefined) throw new Error(`${peer.name} left no converted rules in ${folder}`);
  renameSync(join(folder, made), converted);
  return converted;
}
