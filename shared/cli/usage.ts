import type { CommandName } from './arguments.ts';

const program = `Usage: svc COMMAND …

  svc analyze PATH…          check log files against Sigma rules
  svc submit PATH…           send log files to a service and tell what it finds
  svc login                  keep the token for a service
  svc rules check DIR|FILE…  tell which rules load, and why others do not
  svc rules import PACK      put a rule pack in force at a service
  svc explain RULE FILE      show why a rule matches a record or does not
  svc admin COMMAND          change accounts of the service when nobody can sign in

  -h, --help                 this text; after a command, its own
  -V, --version              the version
`;

const commands: Readonly<Record<CommandName, string>> = {
  analyze: `Usage: svc analyze PATH… [options]

Checks logs against Sigma rules and reports what was found. PATH is a file, a folder with
all below it, a pattern such as 'logs/**/*.evtx', or - for standard input; files may be
gzip, or zip archives of logs. The kind of log goes by content, never by name.

What to look for:
  --rules DIR|FILE     rules to use instead of the core pack: rule files, folders, and packs
                       (zip, gzipped tar); may be repeated
  --placeholders FILE  values of the %names% in rules: YAML, a list of values by name
  --unknown-placeholders any
                       use rules whose %names% have no values, each taken for anything
  --level LEVEL        least severity: critical, high, medium, low, informational
  --since TIME         only events from then on: 2026-03-01, 2026-03-01T10:30+01:00 (UTC
                       where no zone is said), or how long ago: 24h, 7d
  --until TIME         only events before then; a date includes its day
  --log-type TYPE      what the files are, as evtx or syslog                          [auto]
  --log-source SOURCE  of records that do not tell it, as in tables: product=windows,
                       category=process_creation; or any, to try all rules whose fields
                       they have

What to make of it:
  --format FORMAT      table, json (an object; an array for several files), jsonl, csv,
                       timesketch (JSON lines), navigator (an ATT&CK layer)          [table]
  -o, --output FILE    write there, and the summary to the terminal
  --max-events N       matched events to give per finding, 0 for all
                                                   [10; all for csv and timesketch]
  --stats              tell what the logs consist of, speed and memory
  -q, --quiet          no progress, no summary, no remarks

  --threads N          threads for large and for many files                 [by size and cores]

Examples:
  svc analyze Security.evtx
  svc analyze C:\\Windows\\System32\\winevt\\Logs --level medium
  svc analyze evidence.zip --rules sigma/rules --format csv -o matches.csv
  svc analyze logs --since 2026-03-01 --until 2026-03-03 --format timesketch -o t.jsonl
  zcat auth.log.gz | svc analyze - --format json

Exit code: 0 when every log was analysed, whatever was found; 2 when the command line
cannot be understood, a file cannot be read or is no known log, or no rule is usable;
130 when interrupted.
`,
  submit: `Usage: svc submit PATH… [--server URL] [options]

Sends log files to a service, waits for their analysis and tells what was found. PATH is
a file, a folder with all logs below it, or a pattern such as 'logs/**/*.evtx'. Two files
are on their way at a time. The same call may be repeated after an interruption: a file
that was submitted with the same name and options is not submitted again.

Where to:
  --server URL         the service                  [SVC_URL, else that of svc login]
  --insecure-http      send token and files over plain http to another machine

What to do with the files:
  --workflow ID|NAME   workflow to use for all       [the default one that takes the type]
  --type TYPE          what the files are, as evtx or syslog                          [auto]
  --private            for you and administrators only
  --case ID|NAME       add the jobs to this case
  --new-case NAME      make the case first; the next call with this name takes the same
  --tag TAG            tag the jobs; may be repeated, up to ten times
  --force              analyse anew what was analysed before

What to make of it:
  --no-wait            do not wait for the results
  --format FORMAT      table, json (an array), jsonl (a line per file when it is done)
                                                                                     [table]
  --fail-on LEVEL      exit with 1 for findings of at least this severity
  -q, --quiet          no progress, no remarks

The token comes from SVC_TOKEN or from svc login. It needs the scope job:submit, job:read
to wait for results, case:write to add to a case, and case:read to find one by name.

Examples:
  svc submit Security.evtx --server https://svc.example.org
  svc submit /evidence/host7 --private --new-case 'Host 7' --tag phishing --fail-on high
  svc submit 'logs/*.evtx' --format jsonl --no-wait

Exit code: 0 when every file was analysed completely; 1 when something of the severity of
--fail-on was found; 2 when the command line cannot be understood or there is no file to
submit; 3 when a file was not submitted or not analysed completely; 4 when the service is
out of reach; 5 when there is no token or it is refused; 130 when interrupted.
`,
  login: `Usage: svc login --server URL

Asks for an API token without showing it, tries it, and keeps both for svc submit in
svc/config.json of $XDG_CONFIG_HOME or ~/.config, which only you may read. Where nobody
types, the token is the first line of standard input.

Options:
  --server URL         the service                                                 [SVC_URL]
  --insecure-http      send the token over plain http to another machine

Exit code: 0 when the token was kept, 2 when the command line cannot be understood, 4 when
the service is out of reach, 5 when it refuses the token.
`,
  'rules check': `Usage: svc rules check DIR|FILE… [options]

Loads Sigma rules as an analysis would and tells which are left out, where and why,
and which are in force for logs that cannot be read here.

Options:
  --placeholders FILE  values of the %names% in rules: YAML, a list of values by name
  --unknown-placeholders any
                       take rules whose %names% have no values, each for anything
  --format FORMAT      table, json                                                   [table]

Examples:
  svc rules check sigma/rules
  svc rules check mine.yml --format json

Exit code: 0 when no rule was rejected, 1 when one was, 2 when the command line cannot
be understood or a path cannot be read or holds no rules.
`,
  'rules import': `Usage: svc rules import FOLDER|FILE|URL [--server URL] [options]

Sends a rule pack to a service and puts it in force there: all of it or, where it is no
pack or not safe to unpack, nothing. Tells which of its rules are rejected, where and why.
FILE is a zip archive or gzipped tar, as the releases of SigmaHQ are. A URL is fetched by
the service, which looks there for newer versions from then on.

Options:
  --name NAME          what to call the pack; the next import under this name is a new
                       version of it                    [what the pack or its file says]
  --pack-version TEXT  what to call this version              [the date of its newest rule]
  --server URL         the service                  [SVC_URL, else that of svc login]
  --insecure-http      send token and rules over plain http to another machine
  --format FORMAT      table, json                                                   [table]

The token comes from SVC_TOKEN or from svc login. It must be an administrator’s, with the
scopes rule:write and, for a folder or a file, job:submit.

Examples:
  svc rules import sigma_all_rules.zip --name sigmahq --pack-version r2026-08-05
  svc rules import https://example.org/rules.zip --name team

Exit code: 0 when the pack is in force; 2 when the command line cannot be understood or
the pack cannot be read; 3 when the service refuses it; 4 when the service is out of
reach; 5 when there is no token or it is refused; 130 when interrupted.
`,
  explain: `Usage: svc explain RULE FILE --record N [options]

Holds a rule against one record of a log and shows, part by part, what the rule asks,
what the record has there, and which part decides. Of a correlation, the rules that it
counts are explained.

  RULE                 a Sigma file, or the id or title of a rule in use
  FILE                 a log as reports name it: a file, an entry of an archive as in
                       evidence.zip/auth.log, or - for standard input

Options:
  --record N           the record's id (EventRecordID), or its place where the log has no
                       ids; #5 is the fifth record of any log, @512 the one that reports
                       give with this _offset
  --rules DIR|FILE     rules to look RULE up in instead of the core pack; may be repeated
  --placeholders FILE, --unknown-placeholders any, --log-source SOURCE
                       as for svc analyze
  --log-type TYPE      kind of log; auto goes by content                              [auto]
  --format FORMAT      table, json                                                   [table]

Example: svc explain "Whoami Execution" Sysmon.evtx --record 3902841

Exit code: 0 when the record was explained, whether it matches or not; 2 when the command
line cannot be understood, or there is no such rule, file or record.
`,
};

/** How a command is called; the program as a whole where none is named. */
export function usageOf(topic: CommandName | undefined): string {
  return topic === undefined ? program : commands[topic];
}
