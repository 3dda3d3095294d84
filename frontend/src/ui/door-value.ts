import { heldKeys, type HeldKey } from '@svc/domain';

/** What a value is, as searches of jobs ask for it; `other` is what they cannot ask for. */
export const doorKinds = [...heldKeys, 'other'] as const;
export type DoorKind = HeldKey | 'other';

/** Something that a report names, and that leads to where else it is. */
export interface DoorValue {
  readonly kind: DoorKind;
  readonly value: string;
}

export const doorKindNames: Readonly<Record<DoorKind, string>> = {
  rule: 'Rule',
  host: 'Host',
  user: 'User',
  ip: 'Address',
  hash: 'Hash',
  technique: 'Technique',
  program: 'Program',
  domain: 'Domain',
  other: 'Value',
};
