import { z } from 'zod';
import { integer } from './values.ts';

/** Variables of engines that are programs of others, where workers run them. */
export const engineVariables = {
  ENGINE_MEMORY_MB: integer(64, 1_048_576)
    .default(4096)
    .describe('Memory that one run of an external engine may take, with all its processes, in MiB.'),
  ENGINE_OUTPUT_MAX_MB: integer(1, 1_048_576)
    .default(4096)
    .describe('What one run of an external engine may write, in MiB.'),
  ENGINE_CONTAINER_RUNTIME: z
    .string()
    .min(1)
    .optional()
    .describe('podman or docker, or where it is, for engines in images; unset, the first of the two on the PATH.'),
  REGISTRY_PREFIX: z
    .string()
    .default('')
    .describe('Registry that images of engines come from whose names do not say one, as registry.example.org/mirror.'),
};
