import { z } from 'zod';
import { list } from './values.ts';

/** Variables of what is looked up in files, without asking anybody. */
export const offlineVariables = {
  GEOIP_DATABASES: list()
    .default([])
    .describe(
      'Databases in MaxMind’s format (countries or cities, and autonomous systems) by which entity pages say where an address is, separated by commas; read again when they change.',
    ),
  KNOWN_HASHES_PATH: z
    .string()
    .min(1)
    .optional()
    .describe(
      'List of MD5, SHA-1 and SHA-256 of known files, as NSRL has them, a line each; entity pages then say of a hash whether it is known.',
    ),
};
