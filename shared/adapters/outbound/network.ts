import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/** The two steps that leave the process; tests bring their own. */
export interface Network {
  /** Addresses of a name, in the order to try them. Rejects with the system's error. */
  resolve(hostname: string): Promise<readonly string[]>;
  /** Connects to this address and no other, whatever the host's name is; TLS verifies the name. */
  connector(address: string, timeoutMs: number): buildConnector.connector;
}

export const systemNetwork: Network = {
  resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
  connector: (address, timeout) => buildConnector({ timeout, lookup: pinnedTo(address) }),
};

/** A look-up that has one answer, so that the name is not resolved a second time. */
export function pinnedTo(address: string): LookupFunction {
  const family = isIP(address);
  return (_hostname, { all }, done) => {
    if (all === true) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}
