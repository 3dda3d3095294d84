/** A rule to begin with. @param date ISO, of today */
export function newRule(author: string, date: string): string {
  return `title: Say What It Detects
status: experimental
description: Say what happens, and why it matters
references:
    - https://attack.mitre.org/techniques/T1033/
author: ${JSON.stringify(author)}
date: ${date}
tags:
    - attack.discovery
    - attack.t1033
logsource:
    product: windows
    category: process_creation
detection:
    selection:
        Image|endswith: '\\whoami.exe'
    condition: selection
falsepositives:
    - Administrators at work
level: medium
`;
}

/** A rule of another pack to change: with an id of its own, and where it is from. */
export function copyOf(source: string, id: string): string {
  const related = `related:\n    - id: ${id}\n      type: derived`;
  const rest = source.trimEnd();
  return `${/^related:/m.test(rest) ? rest.replace(/^id:.*\n/m, '') : rest.replace(/^id:.*$/m, related)}\n`;
}
