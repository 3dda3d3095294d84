import type { InputOf, operations } from '@svc/contracts';
import { AppError, pairedTags, tagLimits, tagNames } from '@svc/domain';
import type { WantedTag } from './tag-repository.ts';

/** Tags that a request gives; throws `bad_request` for none and for too many. */
export function wantedTags({ tag, color }: Pick<InputOf<typeof operations.tagJob>, 'tag' | 'color'>): WantedTag[] {
  const wanted = pairedTags(tag, color);
  if (wanted.length === 0) throw noTag();
  if (wanted.length > tagLimits.count) throw new AppError('bad_request', `tag: at most ${tagLimits.count} tags`);
  return wanted;
}

/** Names that a request takes off; throws `bad_request` for none. */
export function unwantedTags({ tag }: Pick<InputOf<typeof operations.untagJob>, 'tag'>): string[] {
  const names = tagNames(tag);
  if (names.length === 0) throw noTag();
  return names;
}

/** A field that names no tag. */
export function unnamedTag(field: string): AppError {
  return new AppError('bad_request', `${field}: must be the name of a tag, without commas`);
}

function noTag(): AppError {
  return new AppError('bad_request', 'tag: name at least one tag');
}
