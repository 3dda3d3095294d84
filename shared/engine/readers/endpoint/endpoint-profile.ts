import type { JsonTree } from '../json/json-tree.ts';
import type { Profile } from '../named/profile.ts';
import { carbonBlackProfile, isCarbonBlack } from './carbon-black.ts';
import { ecsProfile, isEcsDevice } from './ecs.ts';
import { falconProfile, isFalcon } from './falcon.ts';
import { isOsquery, osqueryProfile } from './osquery.ts';
import { isSentinelOne, sentinelOneProfile } from './sentinelone.ts';

/** What a record that an endpoint product made is, by its keys; undefined for anything else. */
export function endpointProfile(record: JsonTree): Profile | undefined {
  if (isFalcon(record)) return falconProfile(record);
  if (isCarbonBlack(record)) return carbonBlackProfile(record);
  if (isOsquery(record)) return osqueryProfile(record);
  if (isSentinelOne(record)) return sentinelOneProfile(record);
  return isEcsDevice(record) ? ecsProfile(record) : undefined;
}
