import type { ChapterId } from '../../../paths.ts';
import type { PictureName } from './pictures.ts';

/** A block of a chapter. Text between backticks is code. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: 'picture'; readonly name: PictureName };

export interface Chapter {
  readonly id: ChapterId;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export const text = (words: string): Block => ({ kind: 'text', text: words });
export const list = (...items: string[]): Block => ({ kind: 'list', items });
export const code = (...lines: string[]): Block => ({ kind: 'code', text: lines.join('\n') });
export const table = (...rows: (readonly [string, string])[]): Block => ({ kind: 'table', rows });
export const picture = (name: PictureName): Block => ({ kind: 'picture', name });
