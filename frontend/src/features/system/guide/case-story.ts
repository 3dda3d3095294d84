import { list, text, type Chapter } from './blocks.ts';

/** What the tabs of a case say of time, findings, hosts and users. */
export const caseStoryChapter: Chapter = {
  id: 'case-story',
  title: 'Many logs as one story',
  blocks: [
    text(
      'The tabs of a case show its logs together: those of its jobs that you may see. What a private job of somebody else adds is not there, in no count either.',
    ),
    list(
      'Timeline: matches by hour over all logs, then all of them in lanes by tactic, host or log, zoomed and brushed as in a report, and the same as a table. The ring around a marker has the colour of its log, eight of them; the names above are a legend, and pressing one shows that log alone. A marker opens its finding in the report. Below stand the earliest 200 sample events of all findings.',
      'Findings: those of every job, worst first, narrowed by severity, rule, log, host, tactic and by what was decided about them.',
      'Hosts and users: on each host, and with each account, what was found, in how many logs, from when to when, and by which rules. Users are the accounts that Intel knows from these findings.',
    ),
    text(
      'Logs of one machine can disagree about the time: a clock was wrong, or a log was exported in local time. Where two logs of one host tell the same processes or records at different times, the case says so and by how much. Whoever may edit the case sets, under Clocks of the logs, how far a clock was ahead (`+1:30:00`) or behind (`-0:00:05`); that is taken off all times of the log in the case, and the report of the job stays as it is. Nothing is said where two logs share no matched process and no sample event, or where the clock was wrong in both.',
    ),
  ],
};
