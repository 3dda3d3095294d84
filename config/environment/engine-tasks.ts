import { z } from 'zod';
import { list, type Contradiction, type Read } from './values.ts';

/** `evtx-timeline=svc-evtx-timeline:2`: the engine, the family of its definitions, and how many run at once. */
const EngineTask = z
  .string()
  .regex(/^[a-z-]+=[\w-]{1,255}:[1-9]\d{0,2}$/, 'must be engine=family:number, like evtx-timeline=svc-evtx-timeline:2')
  .transform((text) => {
    const [engine = '', family = '', most = ''] = text.split(/[=:]/);
    return { engine, family, most: Number(most) };
  });

/** Variables of engines that run as tasks of ECS, which a deployment on AWS sets (decision 133). */
export const engineTaskVariables = {
  ENGINE_TASKS: list()
    .pipe(z.array(EngineTask))
    .default([])
    .describe(
      'Engines that workers run as tasks of ECS where a workflow does not say where they are: engine=family:number of tasks at once, comma-separated.',
    ),
  ENGINE_CLUSTER: z.string().optional().describe('ECS cluster of these tasks.'),
  ENGINE_SUBNETS: list().default([]).describe('Their subnets, comma-separated.'),
  ENGINE_SECURITY_GROUPS: list().default([]).describe('Their security groups, comma-separated.'),
  ENGINE_BUCKET: z
    .string()
    .optional()
    .describe('S3 bucket by which they get what they read and leave what they put out, under runs/.'),
};

export function engineTaskContradictions(environment: Read<typeof engineTaskVariables>): Contradiction[] {
  const { ENGINE_TASKS, ENGINE_CLUSTER, ENGINE_SUBNETS, ENGINE_BUCKET } = environment;
  const isPlaced = ENGINE_CLUSTER !== undefined && ENGINE_BUCKET !== undefined && ENGINE_SUBNETS.length > 0;
  return [
    [ENGINE_TASKS.length > 0 && !isPlaced, 'ENGINE_TASKS needs ENGINE_CLUSTER, ENGINE_SUBNETS and ENGINE_BUCKET'],
  ];
}
