import type { TaxiiMatching } from '@svc/contracts';
import { stixPattern, type TaxiiCollectionAlias } from '@svc/domain';
import type { Ports } from '../../ports/ports.ts';
import { identity, indicatorId, type StixObject } from '../stix.ts';
import type { ToldEntity } from '../told-entities.ts';

/** Entities that one request dates; more wait for the next. */
const datedAtOnce = 5000;
const indicators = 'indicator--';
/** When who says all of it was added: before everything. */
export const identityAdded = `${identity.created.slice(0, -1)}000Z`;

export interface ToldPage {
  /** The identity object: first in the collection, and repeated on each page that has indicators. */
  readonly identity: readonly StixObject[];
  readonly told: readonly ToldEntity[];
  /** Position of the page behind it; null for the last. */
  readonly next: string | null;
  /** When the first and the last were added; null for an empty page. */
  readonly added: { readonly first: string; readonly last: string } | null;
}

/** A page of a collection; what it asks the database does not depend on how long it is. */
export async function toldPage(
  { toldEntities }: Pick<Ports, 'toldEntities'>,
  collection: TaxiiCollectionAlias,
  asked: TaxiiMatching,
  { repeatsIdentity = false } = {},
): Promise<ToldPage> {
  const hasMoreToDate = await toldEntities.date(collection, datedAtOnce, stixIdOf);
  const { after, isIdentityMeant, areIndicatorsMeant, stixIds, versions } = read(asked);
  const isIdentityDue = isIdentityMeant && (after === null || after < identityAdded);
  const mayRepeat = isIdentityMeant && repeatsIdentity && asked.limit > 1;
  const limit = asked.limit - (isIdentityDue || mayRepeat ? 1 : 0);
  const found = areIndicatorsMeant
    ? await toldEntities.page(collection, { after, stixIds, versions, limit: limit + 1 })
    : [];
  const told = found.slice(0, limit);
  const hasMore = found.length > limit || (areIndicatorsMeant && hasMoreToDate);
  const own = isIdentityDue ? [identityAdded] : [];
  const dates = [...own, ...told.map(({ toldAt }) => toldAt)];
  const [first, last] = [dates[told.length > 0 ? own.length : 0], dates.at(-1)];
  return {
    identity: isIdentityDue || (mayRepeat && told.length > 0) ? [identity] : [],
    told,
    next: hasMore ? positionAt(last ?? after ?? identityAdded) : null,
    added: first === undefined || last === undefined ? null : { first, last },
  };
}

function read(asked: TaxiiMatching) {
  const { added_after: since = null, next = null } = asked;
  const [ids, types, versions] = [asked['match[id]'], asked['match[type]'], asked['match[version]']];
  const isSpoken = asked['match[spec_version]']?.includes('2.1') ?? true;
  const isAnyVersion = versions?.some((one) => ['all', 'first', 'last'].includes(one)) ?? true;
  const stixIds = ids?.flatMap((id) => uuidOf(id) ?? []) ?? null;
  return {
    // Of one way to write them, so that the later one is the greater text.
    after: since === null || next === null ? (since ?? next) : since > next ? since : next,
    isIdentityMeant:
      isSpoken &&
      (types?.includes('identity') ?? true) &&
      (ids?.includes(identity.id) ?? true) &&
      (isAnyVersion || versions!.includes(identityAdded)),
    areIndicatorsMeant: isSpoken && (types?.includes('indicator') ?? true) && stixIds?.length !== 0,
    stixIds,
    versions: isAnyVersion ? null : versions!,
  };
}

/** What the id of an indicator ends with; null for any other. */
export function uuidOf(id: string): string | null {
  const uuid = id.startsWith(indicators) ? id.slice(indicators.length) : '';
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(uuid) ? uuid : null;
}

function stixIdOf(entity: Parameters<typeof indicatorId>[0]): string | null {
  return stixPattern(entity) === null ? null : indicatorId(entity).slice(indicators.length);
}

function positionAt(date: string): string {
  return Buffer.from(date).toString('base64url');
}
