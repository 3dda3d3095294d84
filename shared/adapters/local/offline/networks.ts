import type { Network } from '@svc/application/intel/enrichment/offline-lookups.ts';
import { Reader, type Response } from 'mmdb-lib';

/** What is read of the databases of MaxMind, DB-IP and IPinfo: countries, cities and autonomous systems. */
interface Place {
  readonly country?: { readonly iso_code?: unknown; readonly names?: { readonly en?: unknown } } | string;
  readonly registered_country?: { readonly iso_code?: unknown; readonly names?: { readonly en?: unknown } };
  readonly country_code?: unknown;
  readonly autonomous_system_number?: unknown;
  readonly autonomous_system_organization?: unknown;
  readonly asn?: unknown;
  readonly as_name?: unknown;
}

export type NetworkDatabase = Reader<Response>;

/** Throws for what is no such database. */
export function openNetworkDatabase(bytes: Buffer): NetworkDatabase {
  return new Reader(bytes);
}

/** Databases in MaxMind's format: what the first that knows says, of the country and of the network alike. */
export class Networks {
  readonly #databases: readonly NetworkDatabase[];

  constructor(databases: readonly NetworkDatabase[]) {
    this.#databases = databases;
  }

  get(address: string): Network {
    const places = this.#databases.flatMap((one) => placeOf(one, address) ?? []);
    return {
      country: first(places, countryOf),
      asn: first(places, asnOf),
    };
  }
}

/** An IPv6 address is in no database of IPv4 alone, and what is no address in none. */
function placeOf(database: NetworkDatabase, address: string): Place | null {
  try {
    return database.get(address) as Place | null;
  } catch {
    return null;
  }
}

function first<T>(places: readonly Place[], read: (place: Place) => T | null): T | null {
  for (const place of places) {
    const found = read(place);
    if (found !== null) return found;
  }
  return null;
}

function countryOf({ country, country_code, registered_country }: Place): Network['country'] {
  const of = typeof country === 'object' ? country : registered_country;
  if (typeof of?.iso_code === 'string') {
    return { code: of.iso_code, name: typeof of.names?.en === 'string' ? of.names.en : of.iso_code };
  }
  const code = typeof country_code === 'string' ? country_code : null;
  const name = typeof country === 'string' ? country : null;
  return code === null && name === null ? null : { code: code ?? name!, name: name ?? code! };
}

function asnOf(place: Place): Network['asn'] {
  const { autonomous_system_number: number, autonomous_system_organization: organization, asn, as_name } = place;
  if (typeof number === 'number') return { number, organization: typeof organization === 'string' ? organization : '' };
  const other = typeof asn === 'string' ? Number(asn.replace(/^AS/i, '')) : Number.NaN;
  return Number.isInteger(other) ? { number: other, organization: typeof as_name === 'string' ? as_name : '' } : null;
}
