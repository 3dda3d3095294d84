import { z } from 'zod';

/** `config/samples/samples.json`: logs that ship for a first look; `file` lies beside it. */
export const SampleList = z.array(
  z.object({
    name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/),
    title: z.string(),
    description: z.string(),
    file: z.string().regex(/^[A-Za-z0-9][\w.-]*$/),
  }),
);
