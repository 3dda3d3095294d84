import type { ElementPart, InstructionPiece, Piece, TextPart, Typed } from './nodes.ts';
import type { RecordFrame } from './record-frame.ts';
import { decoders, eachItem, typedText, unsigned } from './value-text.ts';
import { ARRAY, valueType, widths } from './value-types.ts';

/** Text and values of some content, and its child elements, each in document order. */
export interface Content {
  readonly texts: readonly TextPart[];
  readonly children: readonly ElementPart[];
}

/** Whatever stands in some content. */
export type Node = TextPart | ElementPart | { readonly piece: InstructionPiece };

/** Most pieces that one record may come to; more means that it repeats itself. */
const MOST_PARTS = 20_000;
/** Most characters that one record, or one text in it, may come to in output. */
export const LONGEST_OUTPUT = 4 * 1024 * 1024;

/** What the content of a record comes to, with nested instances and fragments opened. */
export class Parts {
  readonly frame: RecordFrame;
  /** Whether there was more than a record may come to, and not all of it was given. */
  isCut = false;
  #left = MOST_PARTS;

  constructor(frame: RecordFrame) {
    this.frame = frame;
  }

  roots(): readonly ElementPart[] {
    return this.split(this.frame.roots, 0).children;
  }

  open(element: ElementPart): Content {
    return this.split(element.piece.content, element.instance);
  }

  split(content: readonly Piece[], instance: number): Content {
    const into = { texts: [], children: [] };
    this.#collect(content, instance, into);
    return into;
  }

  /** All there is in an element, in document order. */
  nodes({ piece, instance }: ElementPart): readonly Node[] {
    const nodes: Node[] = [];
    this.#collect(piece.content, instance, { texts: [], children: [], nodes });
    return nodes;
  }

  /** The Name attribute of a Data element; empty when it has none. */
  dataName({ piece, instance }: ElementPart): string {
    for (const { name, content } of piece.attributes) {
      if (name !== 'Name') continue;
      const [only] = content;
      if (content.length === 1 && only?.kind === 'text') return only.text;
      return this.values(this.split(content, instance).texts).join(',');
    }
    return '';
  }

  values(texts: readonly TextPart[]): readonly Typed[] {
    return typedValues(this.frame, texts);
  }

  #collect(content: readonly Piece[], instance: number, into: Collected): void {
    for (const piece of content) {
      if (--this.#left < 0) {
        this.isCut = true;
        return;
      }
      if (piece.kind === 'instance') {
        this.#collect(this.frame.content(piece.instance), piece.instance, into);
      } else if (piece.kind === 'value' && this.frame.isFragment(instance, piece.index)) {
        this.#collect(this.frame.fragment(instance, piece.index), instance, into);
      } else if (piece.kind === 'element') {
        into.nodes?.push({ piece, instance });
        into.children.push({ piece, instance });
      } else if (piece.kind === 'instruction') {
        into.nodes?.push({ piece });
      } else {
        into.nodes?.push({ piece, instance });
        into.texts.push({ piece, instance });
      }
    }
  }
}

interface Collected {
  readonly texts: TextPart[];
  readonly children: ElementPart[];
  readonly nodes?: Node[];
}

/** Whether the text is an optional value: without one, there is no element either. */
export function isOptionalText(texts: readonly TextPart[]): boolean {
  const piece = texts.length === 1 ? texts[0]!.piece : undefined;
  return piece?.kind === 'value' && piece.optional;
}

/**
 * What the text of an element or attribute comes to: nothing where it is absent, several values
 * where an array stands in it. Numbers and booleans stay such unless they are part of a longer text.
 */
export function typedValues(frame: RecordFrame, parts: readonly TextPart[]): readonly Typed[] {
  if (parts.length === 1) return partValues(frame, parts[0]!);
  return parts.length === 0 ? [] : joined(bounded(frame, parts));
}

function joined(pieces: readonly (readonly Typed[])[]): readonly Typed[] {
  const repeated = pieces.find((values) => values.length > 1);
  if (repeated === undefined) return [pieces.flat().join('')];
  return repeated.map((item) => pieces.map((values) => (values === repeated ? item : values.join(','))).join(''));
}

function bounded(frame: RecordFrame, parts: readonly TextPart[]): readonly (readonly Typed[])[] {
  const pieces: (readonly Typed[])[] = [];
  let length = 0;
  for (const part of parts) {
    const values = partValues(frame, part);
    for (const value of values) length += String(value).length;
    if (length > LONGEST_OUTPUT) break;
    pieces.push(values);
  }
  return pieces;
}

function partValues(frame: RecordFrame, { piece, instance }: TextPart): readonly Typed[] {
  if (piece.kind === 'text') return [piece.typed];
  const type = frame.type(instance, piece.index);
  if (type === valueType.none) return [];
  const offset = frame.offset(instance, piece.index);
  const size = frame.size(instance, piece.index);
  return (type & ARRAY) === 0 ? scalar(frame, type, offset, size) : array(frame, type, offset, size);
}

function array(frame: RecordFrame, type: number, offset: number, size: number): readonly Typed[] {
  const items: Typed[] = [];
  eachItem(type, frame.chunk.bytes, offset, size, (itemType, at, length) => {
    items.push(...scalar(frame, itemType, at, length));
  });
  return items;
}

function scalar(frame: RecordFrame, type: number, offset: number, size: number): readonly Typed[] {
  const decode = decoders[type];
  if (decode === undefined) return [];
  if (size === 0) return [''];
  if (type === valueType.uint8 || type === valueType.uint16 || type === valueType.uint32) {
    return [unsigned(frame.chunk.bytes, offset, Math.min(size, widths[type]!))];
  }
  return [typedText(type, decode(frame.chunk.bytes, offset, size))];
}
