/** The text of a field whose value comes back later than it is sent, as it does through the address. */
export interface TypedText {
  readonly text: string;
  /** The value as it was last seen. */
  readonly seen: string;
  /** Texts that were sent and have not come back, in order. */
  readonly sent: readonly string[];
}

/** What a field shows at first. */
export function shownText(value: string): TypedText {
  return { text: value, seen: value, sent: [] };
}

/** After a change by the person, which goes on its way. */
export function typedText({ seen, sent }: TypedText, text: string): TypedText {
  return { text, seen, sent: [...sent, text] };
}

/** After the value has changed: what was sent comes back and moves no caret, anything else takes the text's place. */
export function followedText(typed: TypedText, value: string): TypedText {
  if (typed.seen === value) return typed;
  const at = typed.sent.indexOf(value);
  return at < 0 ? shownText(value) : { text: typed.text, seen: value, sent: typed.sent.slice(at + 1) };
}
