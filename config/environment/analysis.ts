import { z } from 'zod';
import { integer } from './values.ts';

/** Variables of what one analysis may take, and of what it goes by. */
export const analysisVariables = {
  ANALYSIS_MEMORY_MB: integer(128, 65_536).default(1536).describe('Memory limit of one analysis, in MiB.'),
  ANALYSIS_CPU_SECONDS: integer(0, 2_592_000)
    .default(60)
    .describe(
      'Seconds of processor time that a thread of one analysis may take, beside those for the size of the file; then the job ends as partial with what it has found. 0 for no limit.',
    ),
  ANALYSIS_CPU_SECONDS_PER_MB: integer(0, 86_400)
    .default(5)
    .describe('Seconds of processor time more for each MiB of the file as it was sent.'),
  UNPACK_MAX_RATIO: integer(1, 1_000_000)
    .default(200)
    .describe(
      'How many times its size a compressed file may unpack to, for gzip only after 256 MiB; an archive beyond it is not read, of a gzip file no more is, and the job ends as partial.',
    ),
  UNPACK_MAX_MB: integer(1, 67_108_864)
    .default(16_384)
    .describe('Most MiB that a compressed file may unpack to; what is beyond is treated as with UNPACK_MAX_RATIO.'),
  ENGINE_THREADS: integer(1, 64)
    .optional()
    .describe(
      'Threads that read one large log, one per 512 MiB of ANALYSIS_MEMORY_MB at most; as many as cores when unset.',
    ),
  ANALYTICS_FIELDS_PATH: z
    .string()
    .optional()
    .describe(
      'YAML file that says which fields of events name what, which must be there; config/analytics_fields.yaml when unset.',
    ),
  THREAT_DETECTION_CONFIG_PATH: z
    .string()
    .optional()
    .describe(
      'YAML file of the heuristic threat detection; config/threat_detection.yaml when unset. None is done where it is not there.',
    ),
  MAX_PARSE_EVENTS: integer(0, 1_000_000_000)
    .default(0)
    .describe('Most matched events that analytics, timelines and processes of a job are made of; 0 for all of them.'),
  SIGMA_PLACEHOLDERS: z
    .string()
    .optional()
    .describe('YAML file with the values of %placeholders% in rules, a list by name; read with the rules.'),
};
