import { list, table, text, type Chapter } from './blocks.ts';

/** From one log to an investigation. */
export const casesChapter: Chapter = {
  id: 'cases',
  title: 'Cases: one story out of many logs',
  blocks: [
    text(
      'A case holds what belongs to one investigation: jobs, entities, a note on why each of them is there, a narrative and a discussion. It owns nothing else; when it is deleted, its jobs and entities stay. Members see cases that are shared, their own, and those on which they are named; administrators see all. Private jobs in a case stay private: whoever may not open one does not see it there, nor does it count in anything that they are shown.',
    ),
    text('There are four ways to build one:'),
    list(
      'New case on the page Cases, then Add jobs and Add entities on its tabs.',
      'Add to case in the menu of a job’s head, and in the head of an entity.',
      'Chosen rows of the jobs list or of the entities: Add to case puts all of them into a case, or into a new one.',
      'Make it a case on the verdict of files that were submitted together; or choose a case while you submit.',
    ),
    table(
      [
        'Overview',
        'Summary and narrative; what all of its jobs have found together; and what may belong to it, each a press away: entities of its jobs, jobs in which the same rules match, similar files.',
      ],
      [
        'Entities',
        'Those that the most of its jobs name first. Filter by a part of the value or by type; take out one, or those chosen.',
      ],
      [
        'Jobs',
        'Its logs. The button in a row adds what that log names, 500 entities at a time, those of the most events first.',
      ],
      [
        'Discussion',
        'Read by whoever sees the case. Its owner, those named on it and whoever commented before are told in the bell.',
      ],
    ),
    text(
      'Whoever sees a case adds to it and writes notes on what they have added. Its owner and those named on it (Who works on it, in the menu of its head) change all of it and take things out; only the owner and administrators share it, name people and delete it.',
    ),
    text(
      'The list shows the worst severity that the jobs of a case have found, as far as you see them, and sorts all cases by it. The severity that people give a case is another one: it stands in its head, and Take it over on the Overview sets it to the worst that was found.',
    ),
    text(
      'The narrative is Markdown, written beside its preview; what you have begun stays in the tab of your browser until you save or discard it. When somebody has saved meanwhile, yours is not taken: read theirs under Earlier versions, then save yours. The last 20 are kept, and each can be written on from.',
    ),
    text(
      'A closed case is left out of the list until you ask for it, and can be opened again. `case:7` and `case:phish` find its jobs in the jobs list; `has:case` finds entities that are in a case that you see. Scripts read cases with tokens of the scope `case:read`: `/intel/cases/list.json`, `/intel/cases/7/detail.json` and `/intel/cases/7/entities.json`.',
    ),
  ],
};
