import type { TestedLog, TestedRules } from '@svc/application/ports/rule-tester.ts';
import type { TriedLog } from '@svc/engine';

/** What the thread that tests rules is asked, one thing at a time: first to compile them. */
export type TrialRequest = { readonly compile: string } | { readonly log: TestedLog; readonly samples: number };

/** Its answer; `unread` is a sentence about the log, `failure` one about the thread. */
export type TrialReply =
  | { readonly compiled: TestedRules }
  | { readonly tried: TriedLog }
  | { readonly tooLarge: true }
  | { readonly unread: string }
  | { readonly failure: string };
