/** What the editor begins with: a rule to change or copy, by the pack that it is in. */
export interface EditorView {
  readonly pack?: string;
  readonly rule?: string;
}

/** Search parameters of the editor; half of a name is none. */
export function editorView({ pack, rule }: Record<string, unknown>): EditorView {
  return typeof pack === 'string' && typeof rule === 'string' && pack !== '' && rule !== '' ? { pack, rule } : {};
}
