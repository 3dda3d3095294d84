/** Bytes of a file that detection looks at, at most. */
export const detectionBytes = 65_536;
