/** Kinds of binary XML tokens (detection-engine 2.4). */
export const token = {
  end: 0x00,
  openStart: 0x01,
  closeStart: 0x02,
  closeEmpty: 0x03,
  endElement: 0x04,
  value: 0x05,
  attribute: 0x06,
  cdata: 0x07,
  charRef: 0x08,
  entityRef: 0x09,
  instructionTarget: 0x0a,
  instructionData: 0x0b,
  instance: 0x0c,
  substitution: 0x0d,
  optionalSubstitution: 0x0e,
  fragmentHeader: 0x0f,
} as const;

/** Set in a token that more of its kind, or an attribute list, follows. */
export const MORE = 0x40;

/** Most elements within each other in one record. */
export const DEEPEST_ELEMENT = 512;

/** Most values of one template instance. */
export const MOST_VALUES = 4096;
