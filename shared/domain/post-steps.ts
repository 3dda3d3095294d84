/** What follows the tasks of a job, told beside them as steps (resolved-platform 2.6). */
export const postSteps = ['post:analytics', 'post:similarity'] as const;
export type PostStep = (typeof postSteps)[number];

/** Whether the tool of a step is none, as it counts in no score, search or outcome. */
export function isPostStep(tool: string): tool is PostStep {
  return postSteps.some((step) => step === tool);
}
