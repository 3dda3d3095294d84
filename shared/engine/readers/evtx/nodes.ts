/** A value typed as in output: number or boolean where its binary type is one. */
export type Typed = string | number | boolean;

/** Fixed text: of a template, or of a record without one. */
export interface TextPiece {
  readonly kind: 'text';
  readonly text: string;
  readonly typed: Typed;
}

/** Place of a value of the template instance around it. */
export interface ValuePiece {
  readonly kind: 'value';
  readonly index: number;
  readonly optional: boolean;
}

export interface ElementPiece {
  readonly kind: 'element';
  readonly name: string;
  readonly attributes: readonly Attribute[];
  readonly content: readonly Piece[];
}

export interface Attribute {
  readonly name: string;
  readonly content: readonly Piece[];
}

export interface InstructionPiece {
  readonly kind: 'instruction';
  readonly target: string;
  readonly data: string;
}

/** A template instance standing in the content itself: its number in the record. */
export interface InstancePiece {
  readonly kind: 'instance';
  readonly instance: number;
}

/** What stands inside an element or a fragment, in document order. */
export type Piece = TextPiece | ValuePiece | ElementPiece | InstructionPiece | InstancePiece;

/** A piece of text or a value, and the instance that the value belongs to. */
export interface TextPart {
  readonly piece: TextPiece | ValuePiece;
  readonly instance: number;
}

/** An element, and the instance that the values in it belong to. */
export interface ElementPart {
  readonly piece: ElementPiece;
  readonly instance: number;
}
