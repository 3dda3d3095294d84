import { summaryOf } from '@svc/domain';

/** What watchers of a job are told of a comment. */
export function commentSummary(author: string, body: string): string {
  return summaryOf(`${author}: ${body}`);
}
