import { Layout } from '../columns/layout.ts';
import { lineReader } from '../columns/line-reader.ts';
import { firewall } from '../named/network-profiles.ts';
import { NetworkLine } from './network-line.ts';

/** Reads lines of firewalls and appliances (network). */
export const readNetworkLog = lineReader(
  (tables, problems) => new NetworkLine(tables, problems),
  new Layout([], firewall),
);
