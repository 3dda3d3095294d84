import { administrationChapters } from './administration.ts';
import { aiChapter } from './ai-chapter.ts';
import { alertLists } from './alert-lists.ts';
import { alertsSection } from './alerts-section.ts';
import { feedsChapter } from './feeds.ts';
import { code, list, picture, table, text, type Chapter } from './blocks.ts';
import { casesChapter } from './cases-chapter.ts';
import { caseStoryChapter } from './case-story.ts';
import { searchChapters } from './searching.ts';
import { webhooksChapter } from './webhooks.ts';

/** Where the examples have the service; the page puts its own address there. */
export const exampleAddress = 'http://127.0.0.1:8000';

/** The guide, in reading order. */
export const chapters: readonly Chapter[] = [
  {
    id: 'submitting',
    title: 'Submitting a log',
    blocks: [
      text(
        'Drop files or folders anywhere in the window, or choose them on the Submit page. The first 64 KiB of each are looked at to tell its type; the name of the file plays no part. Records that Defender, Elastic Defend, Falcon, SentinelOne, Carbon Black or osquery export as JSON are read by the same rules as Windows and Linux logs. Then press Submit: two files are sent at a time, and each becomes a job.',
      ),
      list(
        'The type can be changed before sending. It decides which workflows can be chosen, and a workflow decides which engines and rules run.',
        'Windows events need not be event logs: what EvtxECmd, Wazuh, Winlogbeat, Event Viewer and PowerShell (Get-WinEvent, Get-EventLog) make of them is read as well. With ConvertTo-Json, say `-Depth 4`: without it PowerShell leaves the data out, and only what the message says in English is known.',
        'What other programs give out of a log is read as that log: search results of Splunk as JSON or CSV, answers of Elasticsearch, files of containers, CloudWatch, Google Cloud Logging, Wazuh, Loki. Export one kind of log at a time.',
        'A single file opens its report at once. With several, each row shows its progress and then its verdict; the report is a click away. Transfers go on while other pages are open.',
        'A file above 4 MiB is fingerprinted first (SHA-256), and the service takes those very bytes and no others. After a lost connection files wait, go on by themselves, and never become two jobs.',
        'The same bytes under the same name and workflow are not analysed twice: the earlier report opens. Analyse again, beside the file, runs it anew.',
        'An empty file is not sent, and neither is what no workflow reads, such as a picture; above the list it says which files stay behind and why.',
        'An account can have its files sent as soon as they are chosen: Always send at once, on the page Account, holds for every browser it is signed in with.',
        'Reports can be read by everyone who can open this service, unless a signed-in account marks them private; then only that account and administrators see them.',
        'The options above the files hold for all of them; the sliders beside a file open its own, until it is sent. Analyse again if known makes a new job where the earlier report would open.',
        'Members can give up to 10 tags and put the jobs in a case, or make a new one. A case is its owner’s alone unless it is shared with all members; a private job in it stays private.',
        'A file that is not accepted says why and what to do. Retry sends it once more as it then stands; after a lost connection that never makes a second job for an account.',
      ),
      picture('submit'),
      text('A script submits in one request, with or without an account:'),
      code(`curl -F workflow_id=1 -F file=@Security.evtx ${exampleAddress}/upload`),
      text(
        'The answer names the job. `GET /api/v1/jobs?ids=42` tells its state, `GET /api/v1/workflows` lists the workflows, and `/jobs/42/findings.json` is the result.',
      ),
    ],
  },
  {
    id: 'in-this-browser',
    title: 'Analysing without sending',
    blocks: [
      text(
        'Analyse in this browser, beside Submit, reads the log where it is: the rules that are in force come to the browser, which runs the very engine of the service over the file and shows the same report. Nothing of the log leaves the machine: not its content, not its name, not its hash.',
      ),
      list(
        'The file is read piece by piece, so its size does not matter; a file too large to be submitted can be analysed all the same. Two files are read at a time, while the page goes on answering. Cancel stops one at once.',
        'Findings, timeline, process tree, heuristics and entities are those of a submitted log. What takes other reports, people or engines that only the service has is not there; the report names the engines that did not run.',
        'The report is in the memory of the window and ends with it; the browser asks before it closes. Save hands it over as one file of HTML or on paper, its findings as CSV or JSON, and its techniques as a layer for the ATT&CK Navigator.',
        'Submit it sends the same file with the options that were chosen for it on the Submit page.',
      ),
    ],
  },
  ...searchChapters,
  webhooksChapter,
  feedsChapter,
  {
    id: 'reading',
    title: 'Reading a report',
    blocks: [
      text(
        'The line at the top answers how bad (the worst severity) and how much (matched events, and the distinct rules that matched them). Behind Details stand the events of each severity, the file and how it was analysed. When it happened, in UTC, stands above the findings: the first and the last match of those that the filters leave.',
      ),
      picture('findings'),
      list(
        'What happened stands above the findings in a sentence, and in up to eight when you ask for more: how it began, the worst hosts, the tactics in the order of their first match, accounts, what was cleared or switched off, the worst tactics. Nobody writes them and no language model does: they are read off findings, matched events and processes, and each part leads to its evidence. They say that a rule matched where that is all that is known; findings below medium are left out where there are worse ones.',
        'Matched events and rules are two figures: one noisy rule can match a thousand events, and a thousand events of one rule are one finding.',
        'The strip of ATT&CK tactics follows the order of an intrusion. A tactic filters the findings; so do the severities and the techniques under a finding. What is filtered is counted everywhere: in the groups, the tactics, the hours and the hosts; each of them offers what the other filters leave. All filters are part of the address, so a link shows what you see.',
        'Beside the matches of each hour stand the hosts and users that most matched events name. A host narrows the findings and the timeline to what matched on it; the target beside it, and a user, open as below.',
        'A finding shows its first matched events, earliest first. What the rule matched comes first and is highlighted; then the fields that tell most; the others fold away. The whole record is one click away as JSON, and as event XML if Windows wrote it: made anew from the stored fields, so without what is empty and how values were nested. Every value can be copied; the target beside it opens it.',
        'Hosts, users, addresses, hashes, programs, rules and techniques open beside the report, by a click or Enter, on their names or on the target beside them: the report filtered by it or without it, where else it stands in this report, and the other jobs with it that you may see. What is filtered is what the kept events of the findings name; a finding is left out when every one of them names what is excluded. Esc closes, and the focus goes back. In a report of this browser nothing of it is sent until you ask for other jobs, and then the value alone.',
        'Page and group all, above the events, leads to every match: 50 a page, how often each value of a field occurs among them, and all of them as JSON lines or CSV. Where a log had more matches than are kept as they are, or they are kept no more, Read the log again has a worker read the stored log for all of them, however large it is; that takes an account.',
        'Why tells which parts of the rule hold for the event that was unfolded last, whichever page has it, and the values that they hold for.',
        'The Rule tab has the rule itself: its author, when it may be wrong, and its references.',
        'Where the rule explains itself, What it means opens to what to check next and to common false causes. Rules whose first and last events are at the same times, and which have as many, are one row that opens: they nearly always matched the same events.',
      ),
      text(
        'Above the findings stand the matched events of each hour, stacked by tactic. Drag over the hours that matter, or use the arrow keys with Shift and then Enter: only findings with matches in them stay. Hours without a match are left out, with a tick where the line is cut. All times are UTC, whatever offset the log was written with.',
      ),
      text(
        'Members decide about findings: reviewed, benign or escalated, with a note and someone whom it is for; everyone who is signed in and sees the report reads it. `r`, `b` and `e` decide about the chosen finding, the same key again takes it back. Hide reviewed leaves out what is reviewed or benign; the jobs list says how many rules are done. Remember has the decision applied to the same rule in logs that you submit from now on, as long as all hosts of the finding were decided about in the same way; what you decide in a private job is applied to your private jobs alone, and deciding again forgets it.',
      ),
      text(
        'What is ordinary in your environment need not be decided about in every log: “Not in my environment” on a finding suppresses matches of its rule, all of them or those whose fields have the values that you pick from the event, with a reason and an end. Administrators do so for the whole instance, where it counts neither for severities nor for searches and alerts; whoever may change a case does so for that case. Suppressed findings stay in the report and on the pages of the entities that they name, folded under the others, and the page Suppressions, reached from Rules, says who suppressed what, why, and how often it has hit; there it is taken back.',
      ),
      text('Beside the findings there are more views of the same matched events:'),
      table(
        [
          'Timeline',
          'When what was found happened, in a lane for each tactic or for each host. The letter is the severity, and the worst is on top. The wheel, or + and −, zoom; dragging zooms to what you brushed; arrows move; 0 shows all. Many matches of one rule on one computer become one larger marker. A marker leads to its event, so does a row of the table below, which tells the same.',
        ],
        [
          'ATT&CK',
          'The techniques that the rules name, under their tactics; the deeper the colour, the more events. All rules are shown in one version of ATT&CK, whichever they were written for, and a technique stands under the tactics that ATT&CK gives it. A technique leads to its findings; Navigator layer saves them for the ATT&CK Navigator.',
        ],
        [
          'Process tree',
          'Which process started which. The letter is that of the worst finding of a process; those without are known from what their children tell. A row opens its findings, command line, hashes, parent and children. It is made from matched events only, so it is not everything that ran.',
        ],
        [
          'Heuristics',
          'What is suspicious whatever the rule: masquerading, obfuscation, credential stores, odd ports and names. They look at matched events and are hints, not findings.',
        ],
        [
          'Entities',
          'Accounts, hosts, addresses, hashes and files that the events name, the most frequent first, to copy. Members also see what of all that the log names earlier jobs of other files name, too, and what is new here; the line of tabs says how much that is. Pointing at a value, or reaching it by Tab, tells where else it was seen, when it was first and last analysed, and its tags.',
        ],
        [
          'Similar',
          'Other files with like content, and other jobs in which the worst findings were made, too. “Seen in other jobs?” at a finding leads here.',
        ],
      ),
      picture('timeline'),
      picture('attack'),
      picture('processes'),
      text(
        'Save hands a report over. Report as HTML is one file that needs nothing beside itself: a page of summary, the ten worst findings with a line of evidence each, hosts and users, the timeline, the comments that you can read, and an appendix with all findings, the hashes of the file and how the report was made. Print report, or Ctrl P, gives the same on paper, or as a PDF, with numbered pages. The findings also come as CSV, a line each, and as JSON with their events.',
      ),
      text(
        'Administrators also have a tab Raw: the file as it was submitted, what the engines put out and said, the analytics as JSON, and a way to derive the analytics again from the raw outputs. Raw outputs are kept for 90 days, unless the operator set another time; reports stay.',
      ),
      text(
        'The menu beside the name of the file holds what you may do with the job. Who has submitted the file can analyse it again; administrators can delete the job. With it go its findings, raw outputs, comments, tags and its places in cases, and the file itself when no other job is on it.',
      ),
      text(
        'Keys: `j` and `k` walk through the findings, `/` goes to the filter, `?` shows all keys. Ctrl or ⌘ with `K` goes anywhere: type a page, the number of a job, a file name, a SHA-256 or its beginning, or terms of the jobs list; it also switches the theme and signs out.',
      ),
      text('What the states of a job mean:'),
      table(
        [
          'Running',
          'A worker reads the log. When it was begun again, since its worker stopped or a large one was needed, the report says so.',
        ],
        ['Completed', 'Every engine of the workflow ran to its end.'],
        ['Partial', 'At least one engine failed; the findings of the others are complete.'],
        ['Failed', 'No engine came to an end, or none could read the log. This is never a clean result.'],
        ['Cancelled', 'Someone stopped it; what had been found by then is kept.'],
      ),
      text(
        'No rule matched means just that. It does not mean that nothing happened: the log may not record it, or no rule may know it.',
      ),
      text(
        'What was in such a log stands below: its records by kind, from when to when they are, the hosts and accounts that they name, stretches without a record that are long for this log, and how many of the rules that ran are for such records at all. None means that nobody looked. In reports with findings the same stands behind What happened. Jobs analysed before this was counted say so.',
      ),
    ],
  },
  {
    id: 'engines',
    title: 'Engines side by side',
    blocks: [
      text(
        'Where administrators have enabled other engines beside the built-in one, a job is read by several, and its report has a tab Engines: a row for each rule, a column for each engine with its matches. A number leads to the finding.',
      ),
      list(
        'Findings are of one rule where they have one rule id, or the same title where an engine gives rules ids of its own. Copies that name the rule that they are of count as that rule.',
        'Disagreement leaves the rules that all engines found as often. An engine that failed, was skipped or stopped is not compared.',
        'In common counts records that all of them have, by computer, channel and record number, among the events that are kept; where these are all matches it is exact.',
        'Why they differ says what is known of how an engine reads rules. What is certain follows from the text of the rule; “may be” is a guess. No known cause means that neither is to be trusted without a look at the events.',
        'What several engines found of a rule is one finding once the job has ended: it names the engines, has the severity that the built-in engine gives, and counts each record once. Where engines do not tell all of their records, it counts as many as one of them has most. The score of a job is engines with a finding of engines that ran.',
      ),
    ],
  },
  {
    id: 'similar',
    title: 'Similar files and jobs',
    blocks: [
      text(
        'Every file gets a TLSH digest, unlike a SHA-256 one that changes little where the content does. The Similar tab of a report compares it with the digests of all other files and shows the ten nearest, each by its newest job that you can see.',
      ),
      table(
        ['0', 'Equal in all that the digest knows; nearly always the same content.'],
        ['up to 30', 'Nearly equal: a later copy of the same log, or one with a few records more.'],
        ['up to 100', 'Alike: logs of one kind from machines that do much the same.'],
        ['above', 'Related at best. The ends of the scale are some 1 000 apart.'],
      ),
      list(
        'What differs says what the distance is made of: the content, the length (12 for each step of about 10 %), how evenly the bytes spread, and the checksum.',
        'A file below 50 bytes, or one of a single repeated pattern, has no digest. That of a large file comes a moment after its report.',
        'Seen in other jobs names, for each of the worst findings, the 20 newest other jobs in which the same rule fired with the same severity. Private jobs of others are never told of.',
      ),
    ],
  },
  {
    id: 'severity',
    title: 'Severity',
    blocks: [
      text('The severity is the level that the author of the rule gave it:'),
      table(
        ['C  Critical', 'Almost certainly an attack. Look at it now.'],
        ['H  High', 'Very likely malicious; rarely seen in normal use.'],
        ['M  Medium', 'Suspicious; has honest explanations in some environments.'],
        ['L  Low', 'Notable beside other findings, seldom alone.'],
        ['I  Informational', 'Context, such as a cleared log or a new service.'],
      ),
      text(
        'Bars show the share of each severity on a logarithmic scale, so that three critical events stay visible beside three thousand low ones; the numbers are exact.',
      ),
    ],
  },
  casesChapter,
  caseStoryChapter,
  {
    id: 'alert-rules',
    title: 'Alert rules: to be told',
    blocks: [
      text(
        'A rule looks at every job that has just been analysed and tells you when something in it is what you look for. It has a condition in the language of the entities or of the jobs list, the same that you search with, and says what is to be done: alert you in the bell, give tags, tell a webhook. The quickest way to one is Make a rule above a search, or the star beside the name of an entity. The star makes a rule that matches this one entity; it becomes an ordinary rule once you edit its condition.',
      ),
      text(
        'While you write, the editor says what the condition finds now and what of it cannot be used. Test against recent jobs looks at the last 25 jobs that you see and that have a result, and says what the rule would have told. Back-test does so for all jobs of a range of time, in the background, from the newest on, with today’s tags and lists; it can be stopped, and what it has found stays. Both see only what you may see, and write nothing.',
      ),
      table(
        [
          'Condition',
          'All terms must hold; its lines end where you like. Empty, it matches everything, of which you are warned.',
        ],
        ['Types', 'Of a rule on entities: those that it looks at; none means all.'],
        ['Tags to give', 'Up to ten, which each match then carries. They stay when the rule goes.'],
        ['Alert me in the bell', 'Once for a rule, an entity and a job, however often the job is analysed.'],
        [
          'Webhook',
          'An address that is told of matches. Headers are kept in clear; the secret, which signs what is sent, is not shown to anybody again.',
        ],
        ['On', 'A rule that is off looks at nothing. Switching it is no edit.'],
      ),
      text(
        'Your rules are yours, and administrators see them; shared rules are for all members to read and for administrators to edit. A rule never looks at a job that its owner could not open. Versions, below the editor, has the last twenty of a rule with what each changed; one that is restored becomes the newest.',
      ),
      text(
        'One has 50 rules at most, unless the operator set another number; shared ones do not count. Of a job, a rule records its first 100 matches, a shared one 5,000; a `+` beside the number of alerts says that there were more.',
      ),
      ...alertsSection,
      ...alertLists,
    ],
  },
  {
    id: 'discussion',
    title: 'Talking about a job',
    blocks: [
      text(
        'Every job has a Discussion, for whoever is signed in and may see the job. Note there what you checked and what came of it, so that the next person does not start anew.',
      ),
      list(
        'Comments take Markdown, up to 4,000 characters; Preview shows what becomes of it, and Ctrl or ⌘ with Enter sends it. Pictures become links, and HTML stays the text that it is.',
        'Your own comments can be changed and deleted; administrators can delete those of others. A deleted comment is blanked at once, in the bells of others too.',
        'The time beside a name is a link to that comment.',
        'Watch, or the key `w`, has the bell tell you of comments on a job and, if you are a member, of tags that it is given. Who comments on a job watches it from then on. What you do yourself is not told to you.',
        'The bell, or the key `n`, lists the 25 newest of what waits. Opening an entry acknowledges it; so does Delete on it, and Undo takes that back. Arrows move among them.',
        'Watched jobs, under the bell, lists what you watch, most unread first. Stop watching a job, and what you were told of it goes too.',
        'A job that is made private disappears from the bells of those who may no longer see it.',
      ),
    ],
  },
  aiChapter,
  {
    id: 'accounts',
    title: 'Accounts and API tokens',
    blocks: [
      text(
        'Logs can be submitted and public reports read without an account. An account keeps reports private, stops its own jobs and repeats them. Administrators make accounts under Users.',
      ),
      table(
        ['User', 'Submits logs, privately too; stops and repeats its own jobs.'],
        [
          'Member',
          'As a user; sees tags and cases, and is told of new tags. API tokens work only for members and administrators.',
        ],
        [
          'Admin',
          'Reads every report, private ones too, deletes jobs and comments of others, and manages users, API tokens, rule packs and the settings of the site.',
        ],
      ),
      list(
        'Name, address and password are changed under Account, in the menu at the top right. A new password ends all sessions of the account; so does one that an administrator sets.',
        'An inactive account cannot sign in, and its tokens rest until it is active again. Deleting one keeps its jobs, without a submitter.',
        'A token lets a script act as the administrator who created it, within the chosen scopes. Its secret is shown once; the list shows its first characters, when it was last used and when it expires.',
      ),
      text('A script sends the token with each request:'),
      code(
        `curl -H "Authorization: Bearer $SVC_TOKEN" -F workflow_id=1 -F file=@Security.evtx ${exampleAddress}/api/v1/jobs`,
        `curl -H "Authorization: Bearer $SVC_TOKEN" "${exampleAddress}/api/v1/jobs?ids=42"`,
      ),
      text('The first needs the scope `job:submit`, the second `job:read`.'),
    ],
  },
  {
    id: 'rules',
    title: 'Rules',
    blocks: [
      text(
        'Files are checked against Sigma rules, which come in packs. The core pack ships with the service; administrators import others, such as the releases of SigmaHQ, from a folder, an archive or an address:',
      ),
      code('npx svc rules import sigma_all_rules.zip --name sigmahq', 'npx svc rules check my-rules/'),
      list(
        'A report says which packs its file was checked with, in which versions, and how old their newest rules are. Where newer ones are in force by now, it offers to run the file again.',
        'A new version takes effect for jobs that begin from then on. An archive that is damaged or hostile is refused, and the version before it stays in force.',
        'Members read on the page Rules which packs are in use, what each covers, and every rule with its source, where it fired, and what it cost of late: milliseconds per million records. Noisy ones, and Slow ones first, are orders of that list.',
        'Coverage, there, holds the rules against the log types in the jobs that you may see: a technique is seen, has rules but no telemetry, or has no rule. What should I log lists the audit settings and logs that are missing, the one that gains the most first, with the commands that switch it on.',
        'Where none of SigmaHQ’s rules are here, the dashboard and the page Rule packs offer its newest release by name and licence; without internet they say which file to bring.',
        'Administrators import packs, switch them off and go back to earlier versions on the page Rule packs, under Admin. Browse the rules, there, shows what a pack covers technique by technique, each rule with its source and where it fired, and switches single rules off or gives them another level for good.',
        'A pack from an address is looked for there each day.',
      ),
      picture('rulePacks'),
      text('Rules of your own are written there too:'),
      list(
        'The text is compiled while you type. What the compiler says stands below it; a click on a line leads there.',
        'Test it on recent jobs or on a log that you drop on the page, which is read in your browser and goes nowhere. Matches per 1 000 records tell how noisy the rule would be, and each match says which part of the rule it satisfies.',
        'Nothing matches: look whether any record of the log source was there. If none was, the test says nothing of the rule.',
        'Saved rules are in the pack custom, from the next job on. A rule of another pack is opened as a copy; switch the original off if yours replaces it.',
      ),
      picture('ruleEditor'),
    ],
  },
  ...administrationChapters,
  {
    id: 'cli',
    title: 'On the command line',
    blocks: [
      text('The same engine runs without a server:'),
      code(
        'npx svc analyze Security.evtx',
        'npx svc analyze *.evtx --rules ~/sigma/rules --format json > findings.json',
      ),
      list(
        '`--rules` takes a file or a folder of Sigma rules, and may be given more than once; without it the shipped rules are used.',
        '`--format` is `table`, `json`, `jsonl`, `csv`, `timesketch` or `navigator`; `--max-events` says how many events of each finding are printed, 0 for all.',
        '`--log-type` names the type when it cannot be told from the content.',
      ),
      text(
        'The exit code is 0 when the files were analysed, with findings or without, and 2 for wrong usage or a file that cannot be read.',
      ),
      text(
        'Files and folders can be sent to this service too, with an API token of the scopes `job:submit` and `job:read`. It waits for the results and prints a line for each file, with the address of its report:',
      ),
      code(`npx svc login --server ${exampleAddress}`, 'npx svc submit evidence/ --private --fail-on high'),
      list(
        'After an interruption the same command goes on: what was submitted is not submitted again. `--force` analyses it anew.',
        '`--case` and `--new-case` group the jobs, `--tag` tags them; for cases the token needs `case:write` too.',
        '`--format json` and `jsonl` are for programs; `--no-wait` ends when all is submitted.',
        'The exit code is 0 when all files were analysed completely, 1 when something of the severity of `--fail-on` was found, 3 when a file was not, 4 when the service is out of reach, 5 when it refuses the token.',
      ),
    ],
  },
  {
    id: 'limits',
    title: 'Limits',
    blocks: [
      table(
        ['Size of a file', '500 MiB, unless the operator set another limit'],
        [
          'Files at a time',
          '50 on the Submit page, unless an administrator set another number; scripts have no such limit',
        ],
        ['Submissions', '30 a minute for a visitor, 60 for an account; the page waits by itself'],
        [
          'Uploads at once',
          'Four from all users together, unless the operator set another number; the page waits for a place',
        ],
        [
          'Events of a finding',
          'The first 10 are kept, unless an administrator set another number; the count is of all',
        ],
        ['Transfers', 'Two at a time from one window'],
      ),
      text(
        'Damaged logs are read as far as they can be: broken records are skipped, counted and named in the report. A dirty log, taken from a running or crashed machine, is read to its last record.',
      ),
    ],
  },
];
