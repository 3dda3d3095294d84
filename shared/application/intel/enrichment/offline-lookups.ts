export interface Network {
  readonly country: { readonly code: string; readonly name: string } | null;
  readonly asn: { readonly number: number; readonly organization: string } | null;
}

/** What files on this machine say, without asking anybody. */
export interface OfflineLookups {
  /** Where an address is, and whose; null by null where there is no file that says so. */
  network(address: string): Promise<Network>;
  /** Whether a hash is in the list of known files; null without one, while it is being read, and for another kind of hash. */
  knownGood(hash: string): Promise<boolean | null>;
}
