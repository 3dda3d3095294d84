/** Steps that follow the tasks of a job, listed with them (resolved-platform 2.6). */
export const postSteps = ['post:analytics', 'post:similarity'] as const;
export type PostStep = (typeof postSteps)[number];

/** Whether a step is one of these, which count in no score, search or outcome. */
export function isPostStep(tool: string): tool is PostStep {
  return postSteps.some((step) => step === tool);
}
