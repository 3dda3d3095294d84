import { tactics } from '@svc/domain';
import { z } from 'zod';
import { Severity } from '../fields.ts';

/** Where a part of a sentence leads within its report. */
export const Evidence = z.discriminatedUnion('kind', [
  /** A finding; `at` is the time of the event that is meant, null for the first that there is. */
  z.object({ kind: z.literal('finding'), finding: z.number().int(), at: z.string().nullable() }),
  /** What matched on a computer. */
  z.object({ kind: z.literal('host'), host: z.string() }),
  /** The findings of a tactic. */
  z.object({ kind: z.literal('tactic'), tactic: z.enum(tactics) }),
  /** An account, among the entities. */
  z.object({ kind: z.literal('account'), account: z.string() }),
  /** What the process tree is searched for. */
  z.object({ kind: z.literal('process'), process: z.string() }),
]);
export type Evidence = z.output<typeof Evidence>;

/** What a sentence is about. */
export const sentenceSubjects = [
  'foothold',
  'hosts',
  'chain',
  'processes',
  'accounts',
  'switched_off',
  'tactic',
  'records',
  'time',
  'gaps',
  'rules_for',
] as const;

export const Sentence = z.object({
  about: z.enum(sentenceSubjects),
  /** One behind the other they are the sentence; `verbatim` is as the log has it. */
  parts: z.array(z.object({ text: z.string(), verbatim: z.boolean(), to: Evidence.nullable() })),
  /** Ids of the findings that prove it; none where it is of what all matched events name. */
  findings: z.array(z.number().int()),
});
export type Sentence = z.output<typeof Sentence>;

/**
 * What the findings of a job come to, in at most eight sentences, the first of which says how it began; none for a
 * job without findings. They are of the findings of severity `least` and worse, `told` of all `findings`.
 */
export const WhatHappened = z.object({
  sentences: z.array(Sentence),
  least: Severity,
  told: z.number().int().min(0),
  findings: z.number().int().min(0),
  /**
   * What is in the log, matched or not: records by kind, time, hosts, accounts, gaps, and how many rules are for such
   * records. Null where it was not counted, as in what was analysed before that was.
   */
  contents: z.array(Sentence).nullable(),
});
export type WhatHappened = z.output<typeof WhatHappened>;
