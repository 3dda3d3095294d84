import { canSend, type CommonReading, type Submission, type WorkflowChoice } from './submission.ts';

/** Files of a selection that stay behind when the others are submitted, and why. */
export interface LeftBehind {
  readonly reason: string;
  readonly names: readonly string[];
}

/** Why files that are not on their way cannot go there as they stand; one entry a reason. */
export function leftBehind(
  list: readonly Submission[],
  common: CommonReading,
  workflows: readonly WorkflowChoice[],
): LeftBehind[] {
  const byReason = new Map<string, string[]>();
  for (const submission of list) {
    const reason = canSend(submission, common, workflows) ? null : reasonOf(submission);
    if (reason !== null) byReason.set(reason, [...(byReason.get(reason) ?? []), submission.file.name]);
  }
  return [...byReason].map(([reason, names]) => ({ reason, names }));
}

function reasonOf({ stage, detection }: Submission): string | null {
  if (stage.at === 'refused') {
    if (stage.code === 'empty') return 'empty';
    return stage.code === 'too_large' ? 'too large' : 'refused, with its reason beside it';
  }
  if (stage.at !== 'ready') return null;
  if (detection.at === 'asking') return 'still being looked at';
  if (detection.at === 'known' && detection.notLog !== null) return detection.notLog;
  return 'of a type that no workflow reads';
}
