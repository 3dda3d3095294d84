import { list, picture, table, text, type Chapter } from './blocks.ts';

/** How jobs and entities are found. */
export const searchChapters: readonly Chapter[] = [
  {
    id: 'finding-jobs',
    title: 'Finding jobs',
    blocks: [
      text(
        'The box over the jobs list (`/` goes there) takes words and terms, all of which a job must meet. The list shows exactly how many do. The search is part of the address, so a link shows the same to whoever opens it, among the jobs that they may see. The bookmark beside the box saves a search under a name, with the account of a member, and in this browser for others; saving again under the same name replaces it. A member can share one with all members; they find it beside their own, and its owner and administrators change it.',
      ),
      picture('jobs'),
      table(
        [
          '`security` `"my report"`',
          'The name of the file contains it, in whatever case. Quotes keep blanks together.',
        ],
        ['`srv01*`', 'With a `*` it is the whole name, from its beginning to its end.'],
        ['`tag:reviewed`', 'Carries the tag; for members.'],
        [
          '`status:failed,partial`',
          'Is in any of these states: pending, running, completed, partial, failed, cancelled.',
        ],
        ['`type:evtx`', 'Is a log of this type.'],
        ['`workflow:windows` `tool:sigma`', 'The name of the workflow, or of an engine that ran, contains it.'],
        ['`sev:critical,high`', 'Has findings of any of these severities.'],
        ['`findings:>100` `findings:10..50`', 'Has so many matched events; also `<`, `>=`, `<=` and a number alone.'],
        [
          '`after:24h` `before:2026-08-01`',
          'Was submitted since, or before. Hours, days and weeks back (`24h`, `7d`, `2w`), a day, or `"2026-08-01 10:15"`; in UTC.',
        ],
        ['`id:12,15` `sha256:9f86d0`', 'Is one of these jobs; is on a file whose SHA-256 begins so.'],
        [
          '`host:ws01` `user:alice` `ip:10.0.0.5` `program:mimikatz` `domain:evil.example`',
          'Matched events name it. A host is found by its name with or without the domain, an account with or without the domain, a program with or without `.exe`; not by a part of the name.',
        ],
        [
          '`hash:9f86d0…`',
          'A whole MD5, SHA-1, SHA-256 or SHA-512 in matched events, or what the SHA-256 of the file begins with.',
        ],
        [
          '`rule:mimikatz` `technique:T1003`',
          'A rule of this name or id, or with this word in its name, matched; a rule of this technique or of one under it.',
        ],
        ['`case:"phish wave"`', 'Is in a case that you see, by its number or part of its name; for members.'],
        [
          '`is:mine`',
          'Also private, public, anonymous, watched, hits, clean, gaps (not read whole, or without any event), error, running and done.',
        ],
      ),
      list(
        'A minus before a term turns it around: `-status:completed`, `-"my report"`.',
        'Several values with commas mean any of them: `type:evtx,auditd`. Several terms mean all of them. `OR` in upper case parts alternatives: `host:ws01 user:alice OR hash:9f86d0…` finds what meets all terms on one side.',
        'Something before a colon that is no key, as in `C:\\logs`, is looked for in names with all that follows it.',
        'What can be written is offered under the caret: arrows choose, Enter or Tab takes, Esc closes.',
        'A term that cannot be understood matches nothing, and the reason stands above the list. With several values those that can be used are. A search has at most 12 terms.',
      ),
      text(
        'Files that were submitted together are a batch. When all of them are sent, Submit leads to its verdict: how many rules matched, by severity and tactic; the rules with their files and hosts; the hosts and the files, worst first. The worst hosts stand beside the severities, too. A number narrows the page or opens the report at what it counts. It fills while files are still analysed, and stays at its address, where everybody sees the part that they may see. Several jobs that are selected in the list have such a verdict too.',
      ),
      text(
        'Compare sets two selected jobs side by side, or the job of a report and another: the rules that matched in one of them alone or in both, with their matches, and the hosts.',
      ),
      text(
        'The head of Severity, Matches or Age sorts by it, and turns the list round at the next click: by severity, the worst jobs come first. Top finding is the worst finding of a job, of several the one with the most matches, and opens the report at it.',
      ),
      text(
        '`j` and `k` go from job to job, `x` selects, Shift with `x` or a click selects all in between, `?` lists the other keys. Members tag what is selected, and administrators delete it. Everyone with an account has files that they submitted analysed again with the rules now in force: selected ones, or up to 200 that a search finds; for scripts that is `POST /api/v1/jobs/rerun` with the search as `q`, which counts with `dry_run`.',
      ),
    ],
  },
  {
    id: 'entities',
    title: 'Entities: what logs name',
    blocks: [
      text(
        'Accounts, computers, addresses, hashes, programs, domains, files on command lines, services and tasks that any analysed log names are entities, which all members share. An entity tells in how many jobs it was met, when first and last, in which findings, what it is related to and what is named beside it. Counts are over the jobs of everybody; jobs and findings themselves are shown to those only who may open them. Every event of a log counts, whether a rule matched it or not.',
      ),
      text(
        'The list under Intel is searched as the jobs are, in a language of its own. Text alone is looked for as it stands, anywhere in a value; as soon as there is a term or a quote, all parts must hold.',
      ),
      table(
        ['`svchost`', 'The value contains it, in whatever case.'],
        ['`^admin*` `*.example$`', 'With a `*`, `^` is where the value begins and `$` where it ends.'],
        ['`type:ip,exe`', 'Is of any of these types.'],
        ['`tag:c2` `tag:apt/`', 'Carries the tag, or any whose name begins so.'],
        ['`attr:lolbin` `label:public`', 'Has what the service computes from the value; `label:` takes tags, too.'],
        ['`cidr:10.0.0.0/8`', 'Is an address of this network.'],
        ['`in:(a.example,b.example)`', 'The whole value is one of these.'],
        ['`re:/^svc[0-9]+$/`', 'The value matches the regular expression.'],
        ['`job:42`', 'Is named in the job.'],
        ['`seen:<7d` `first:>=2026-07-01` `jobs:>3`', 'Was met last, first, or in how many jobs.'],
        [
          '`is:allowlisted` `has:finding` `has:note`',
          'Is allowlisted, is named in a finding that you see, has a note.',
        ],
        ['`-tag:c2` `a OR b` `(a OR b) type:ip`', 'Not, either, and groups; `OR` in capitals.'],
      ),
      text(
        'On its page, Relationships can be narrowed to types and to a window of time; a count opens what shows the relationship: when, in which jobs, by which events, and what was found in these. ATT&CK has the techniques of the findings that name it. Processes shows those of one job that are it or name it, with what started them and what they started. In Discussion members talk about it.',
      ),
      text(
        'Rows are chosen by their boxes or with `x` (`X` for a range), all of a page at its head, and then all that the search finds. What is chosen is tagged (`t`), untagged, allowlisted or taken off the allowlist at once; Undo takes back exactly what was changed.',
      ),
      text(
        'What is written in several ways, as `CORP\\alice`, `alice` and `alice@corp.example`, members make one: by Same as… on its page, which offers other writings, or by The same for chosen rows. The list then has one row for it, the first in the order that the search finds, with the number of aliases; Aliases in one row, above the list, turns that off. On its page, jobs and findings can be those of all of them, and its graph has one node. By itself, or the cross beside an alias, takes one out again: nothing else has changed.',
      ),
      text(
        'The bookmark beside the box keeps a search, and its order, under a name. It says how many entities that it finds were named for the first time, or again, since you last opened it; the figure leads to those. Shared with all members, it is found by them, and each has an own “last”.',
      ),
      text(
        'Jobs and entities carry the same tags; agree on names first. A slash parts a namespace from the rest: `actor/apt28` stands below `actor/`, and `tag:actor/` finds all of it. Tags, above the list, leads to the vocabulary: how often each is used, another colour, another name, one tag for two, or none. A new name is everywhere at once, also in your own saved searches; shared ones of others that say the old name are named to you.',
      ),
      text(
        'The page of an entity counts the findings that name it and draws when jobs saw it, by the time of their events where one is known; a bar narrows the jobs below to those of then. What the heuristics found in its jobs need not be its doing: what names it is marked. The other tabs are of all jobs that you may see, or of one that you choose beside them.',
      ),
      text(
        'Known elsewhere, on the page of an entity, is what services of others and files of this service say of it: where an address is, whether a hash is that of a known file, what VirusTotal and others think. Fetch asks a service, which then learns that somebody looked the value up; its answer is kept, and all members see it. Refresh asks again. Raw shows the whole answer as text. Look up, on the entities of a case, asks about all of them, as fast as the service allows; addresses of private networks are left out.',
      ),
      text(
        'Export, above the list, gives what the search finds to other programs: a table (CSV), JSON, a STIX 2.1 bundle or a MISP event, of at most 5,000 entities; allowlisted ones are left out. Each is blamed for what names it alone, in jobs that you see. Scripts read the same at `/intel/ioc-feed` with a token for `ioc_feed:read`, page by page. On the page of an entity, Export has it with what surrounds it as STIX, and as a small IOC pack to paste.',
      ),
      text(
        'Tags and the note of an entity are for all members. An allowlisted entity is left out of feeds and graphs, and stands muted in lists; searches and rules still find it.',
      ),
    ],
  },
  {
    id: 'graph',
    title: 'Graphs, and processes of many logs',
    blocks: [
      text(
        'The tab Graph of an entity draws what surrounds it, up to three steps away, of all logs or of one. It begins with what says something; what is merely named in the same log can be followed, too.',
      ),
      table(
        [
          'relationships',
          'What events show of two things: a program runs as an account, a domain resolves to an address. With an arrow. All members see that there is one; its events are shown to those who may open the job.',
        ],
        [
          'same rule match',
          'The matched events of one finding name both. It does not say that one did something to the other.',
        ],
        [
          'same log',
          'One log names both, and no more than that. Logs that name over 300 things are left out, unless the graph is of that log.',
        ],
      ),
      list(
        'The legend takes types and kinds of edges out of the picture and brings them back; the filter takes the language of the entity search. Neither moves a node.',
        'Colours are by type, worst finding, tactic, or cluster (Louvain’s communities). Findings and tactics are about the entity in all logs that you see, even where position and edges are of one log.',
        'A node that is selected tells how many neighbours it has by each kind; a press brings them in around it. Each step stands above the picture and can be taken back.',
        'Path from here, then another node: the shortest path between the two, also beyond what is drawn; through relationships, or where these have none through rule matches, which is said. Logs carry no path.',
        'Export saves the picture, the whole graph as GraphML (for networkx, Gephi, yEd), or as JSON.',
        'The list beside the picture has every node, the most central first: arrows go through it, Enter opens the one that is selected, Esc takes the last thing back.',
        'Up to 5,000 nodes and 15,000 edges are shown, of one log 1,500 nodes; what is left out is told. GraphML has at most 500 nodes.',
        'The tab Graph of a case draws the entities that are in it, and nothing else. Hashes are out of the picture at first. Rules that fired, From and To, or a stretch of hours (Choose by hour): what rules named that fired in this time stands out, by the clock that each log of the case is corrected to.',
        'The tab Processes of a case has the processes of a host that all its logs tell of, each once. Sysmon 1 and Security 4688 are of one process where the GUID is the same, or else host, number, program, number of the parent and command line as far as both say them, and the starts lie at most two seconds apart. In doubt says why it is not sure; the logs that tell of a process, and its findings, are a press away.',
      ),
    ],
  },
];
