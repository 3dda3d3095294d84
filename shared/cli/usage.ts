export const usage = `Usage: svc analyze FILE… [options]

Checks log files against Sigma rules and reports what was found.

Options:
  --rules DIR|FILE     rules to use instead of the core pack; may be repeated
  --log-type TYPE      auto (by content), evtx, json_evtx, json_winlogbeat, xml_evtx  [auto]
  --format FORMAT      table, json (an object; an array for several files), jsonl     [table]
  --max-events N       matched events to give per finding, 0 for all                  [10]
  -h, --help           this text
  -V, --version        the version

Exit code: 0 when every file was analysed, whatever was found; 2 when the command line
cannot be understood, a file cannot be read or is no known log, or no rule is usable.
`;
