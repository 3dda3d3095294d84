import type { CommandName } from './arguments.ts';

const program = `Usage: svc COMMAND …

  svc analyze FILE…          check log files against Sigma rules
  svc rules check DIR|FILE…  tell which rules load, and why others do not
  svc explain RULE FILE      show why a rule matches a record or does not

  -h, --help                 this text; after a command, its own
  -V, --version              the version
`;

const commands: Readonly<Record<CommandName, string>> = {
  analyze: `Usage: svc analyze FILE… [options]

Checks log files against Sigma rules and reports what was found.

Options:
  --rules DIR|FILE     rules to use instead of the core pack; may be repeated
  --log-type TYPE      auto (by content), evtx, json_evtx, json_winlogbeat, xml_evtx  [auto]
  --format FORMAT      table, json (an object; an array for several files), jsonl     [table]
  --max-events N       matched events to give per finding, 0 for all                  [10]

Exit code: 0 when every file was analysed, whatever was found; 2 when the command line
cannot be understood, a file cannot be read or is no known log, or no rule is usable.
`,
  'rules check': `Usage: svc rules check DIR|FILE… [--format table|json]

Loads Sigma rules as an analysis would and tells which are left out, where and why,
and which are in force for logs that cannot be read here.

Exit code: 0 when no rule was rejected, 1 when one was, 2 when the command line cannot
be understood or a path cannot be read or holds no rules.
`,
  explain: `Usage: svc explain RULE FILE --record N [options]

Holds a rule against one record of a log and shows, part by part, what the rule asks,
what the record has there, and which part decides.

  RULE                 a Sigma file, or the id or title of a rule in use

Options:
  --record N           the record's id (EventRecordID), or its place where the log has no
                       ids; #5 is the fifth record of any log
  --rules DIR|FILE     rules to look RULE up in instead of the core pack; may be repeated
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
