const { Buffer: nodes } = globalThis as { readonly Buffer?: { readonly prototype: Uint8Array } };
/** What Node.js has is several times as quick as what every Uint8Array has. */
const { prototype } = nodes ?? Uint8Array;

/** Position of the first such byte from `from` on; -1 where there is none. */
export function indexOfByte(bytes: Uint8Array, byte: number, from = 0): number {
  return prototype.indexOf.call(bytes, byte, from);
}
