import { isPostStep, type PostStep } from '@svc/domain';

const names: Record<PostStep, string> = { 'post:analytics': 'Analytics', 'post:similarity': 'Similar files' };

/** What a step of an analysis is called: its engine, or what is done after them. */
export function StepName({ tool }: { tool: string }) {
  return isPostStep(tool) ? <span>{names[tool]}</span> : <code>{tool}</code>;
}
