import { summaryOf, type Comment } from '@svc/domain';

/** What watchers of a job are told of a comment: by whom it is, and how it begins. */
export function commentSummary({ author, body }: Pick<Comment, 'author' | 'body'>): string {
  return summaryOf(`${author?.name ?? 'Somebody'}: ${body}`);
}
