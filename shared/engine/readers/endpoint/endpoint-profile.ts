import type { JsonTree } from '../json/json-tree.ts';
import type { Profile } from '../named/profile.ts';
import { carbonBlackProfile, isCarbonBlack } from './carbon-black.ts';
import { ecsProfile, isEcsDevice } from './ecs.ts';
import { falconProfile, isFalcon } from './falcon.ts';
import { isOsquery, osqueryProfile } from './osquery.ts';
import { isSentinelOne, sentinelOneProfile } from './sentinelone.ts';

/** Says what a record of a product is; undefined for one that is none of it after all. */
export type EndpointProfile = (record: JsonTree) => Profile | undefined;

/** How to tell what records with such keys are that an endpoint product made, by their keys; undefined for others. */
export function endpointOf(record: JsonTree): EndpointProfile | undefined {
  if (isFalcon(record)) return falconProfile;
  if (isCarbonBlack(record)) return carbonBlackProfile;
  if (isOsquery(record)) return osqueryProfile;
  if (isSentinelOne(record)) return sentinelOneProfile;
  return isEcsDevice(record) ? ecsProfile : undefined;
}
