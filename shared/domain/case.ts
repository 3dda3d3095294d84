import { hasRole, type Actor } from './actor.ts';

export const caseStatuses = ['open', 'monitoring', 'closed'] as const;
export type CaseStatus = (typeof caseStatuses)[number];

/** Longest name of a case, in characters. */
export const caseNameLength = 200;

/** An investigation that jobs are grouped in (service 2.4); it owns nothing of its own. */
export interface Case {
  readonly id: number;
  readonly name: string;
  readonly status: CaseStatus;
  /** Account id; null when the account is gone. */
  readonly ownerId: string | null;
  readonly isShared: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Members see shared cases and their own, administrators all. Private jobs in them stay private. */
export function canViewCase({ ownerId, isShared }: Pick<Case, 'ownerId' | 'isShared'>, actor: Actor): boolean {
  if (actor.kind === 'anonymous' || !hasRole(actor, 'member')) return false;
  return isShared || ownerId === actor.userId || hasRole(actor, 'admin');
}
