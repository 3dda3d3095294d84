/** What a person who watches a job is told of. */
export const watchEventKinds = ['comment', 'tag', 'ai'] as const;
export type WatchEventKind = (typeof watchEventKinds)[number];

/** Jobs that a person can watch, people who are told of one event, and characters of what they are told. */
export const watchLimits = { perPerson: 200, perEvent: 100, summary: 200 } as const;

/** Where notifications come from (resolved-platform 13.4): rules on entities, rules on jobs, watched jobs, cases. */
export const notificationStreams = ['rule', 'jobrule', 'job', 'case'] as const;
export type NotificationStream = (typeof notificationStreams)[number];

/** A tag that a job was given and did not carry before. */
interface GivenTag {
  readonly id: number;
  readonly jobId: number;
  readonly name: string;
}

/** What watchers are told of tags that somebody gave at once: one event a job, known by the first of its tags. */
export function tagEvents(
  giver: string,
  given: readonly GivenTag[],
): { readonly jobId: number; readonly refId: number; readonly summary: string }[] {
  const ofJob = new Map<number, GivenTag[]>();
  for (const tag of given) ofJob.set(tag.jobId, [...(ofJob.get(tag.jobId) ?? []), tag]);
  return [...ofJob].map(([jobId, tags]) => {
    const names = tags.map(({ name }) => name).sort();
    const refId = Math.min(...tags.map(({ id }) => id));
    return { jobId, refId, summary: summaryOf(`${giver} added ${names.join(', ')}`) };
  });
}

/** A text on one line, cut at the length of a summary. */
export function summaryOf(text: string): string {
  const line = Array.from(text.replaceAll(/\s+/g, ' ').trim());
  return line.length <= watchLimits.summary ? line.join('') : `${line.slice(0, watchLimits.summary - 1).join('')}…`;
}
