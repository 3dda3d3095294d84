import { text, type Block } from './blocks.ts';

/** Of the chapter on alert rules: what they do over a job, and what one reads of it. */
export const alertsSection: readonly Block[] = [
  text(
    'Rules run once over each job that ends with a report, some seconds after it, when what the job names is stored: first those on entities, then those on jobs, the oldest first, so that a rule can ask for a tag that an older one gives. Of a job that is analysed again, nothing is told a second time. What a rule tells of private jobs is for those who see them: yours run over your own, and a shared rule that alerts over none.',
  ),
  text(
    'The tab Alerts shows what waits, of each kind the newest 100, and so does the bell; administrators have the alerts of shared rules there, and see those of all members on request. Why says which terms of the condition hold, and which findings of the job name the entity: each leads to its events. An alert on a job that became another’s private one is gone from list and count.',
  ),
  text(
    'Shared rules come with the service. They only give tags: what a value says (public address, hash of 64 digits), what an analyst looks at first (remote access, a script in a task), and how far a job is (needs_triage, rerun, clean). Switch off what you do not need; one that you edit is yours, and no update changes it. What was named before is tagged by a task that administrators begin on the page Tasks.',
  ),
];
