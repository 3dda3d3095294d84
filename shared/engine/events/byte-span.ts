/** Some of the bytes of a log; good only as long as what it was asked of. */
export interface ByteSpan {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}
