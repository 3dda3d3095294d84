/**
 * How the report looks, in its own file and where a page prints it: black on white on paper, the reader's theme on a
 * screen. Nothing of a report is in it.
 */
export const handoverStyle = `
.handover { --text: #16181d; --soft: #50555f; --line: #c9cdd4; --wash: #f1f2f4; --back: #fff;
  --critical: #b91c1c; --high: #b0410b; --medium: #7d5700; --low: #1d4fc4; --informational: #50555f; }
@media screen and (prefers-color-scheme: dark) { .handover { --text: #e6e8ec; --soft: #a6acb8; --line: #3a3f4a;
  --wash: #20242c; --back: #14171c; --critical: #ff8a8a; --high: #ffa466; --medium: #f2c94c; --low: #8ab4ff;
  --informational: #b5bac4; } }
@media screen { html:has(> body > main > .handover) { color-scheme: light dark; }
  body:has(> main > .handover) { margin: 0; }
  body > main > .handover { min-height: 100vh; padding: 32px max(24px, calc(50vw - 480px)); box-sizing: border-box; } }
.handover, .handover * { box-sizing: border-box; }
.handover { color: var(--text); background: var(--back); font: 13px/1.45 system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
.handover :is(h1, h2, h3, p, ul, ol, dl, dd) { margin: 0; padding: 0; }
.handover h1 { font-size: 22px; line-height: 1.25; overflow-wrap: anywhere; }
.handover h2 { margin: 20px 0 6px; font-size: 16px; }
.handover h3 { margin: 16px 0 4px; font-size: 13px; }
.handover a { color: inherit; overflow-wrap: anywhere; }
.handover .soft { color: var(--soft); overflow-wrap: anywhere; }
.handover ul { padding-left: 18px; overflow-wrap: anywhere; }
.handover li { margin: 2px 0; }
.handover .figures { display: flex; flex-wrap: wrap; gap: 8px 32px; }
.handover .figures dt { color: var(--soft); }
.handover .figures dd { font-size: 20px; line-height: 1.2; }
.handover .severities { display: flex; flex-wrap: wrap; gap: 4px 16px; margin-top: 8px; padding: 0; list-style: none; }
.handover .severity { color: var(--informational); font-weight: 600; white-space: nowrap; }
.handover .severity.critical { color: var(--critical); }
.handover .severity.high { color: var(--high); }
.handover .severity.medium { color: var(--medium); }
.handover .severity.low { color: var(--low); }
.handover .beside { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); align-items: start; gap: 24px; }
.handover table { width: 100%; border-collapse: collapse; }
.handover :is(th, td) { padding: 3px 8px 3px 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
.handover th { color: var(--soft); font-weight: 600; }
.handover :is(th, td):is(.number, .tight) { width: 1%; white-space: nowrap; }
.handover :is(th, td).number { text-align: right; }
.handover .value { overflow-wrap: anywhere; }
.handover .line { display: block; }
.handover .soft.line { font-size: 11px; }
.handover .technique { display: inline-block; margin: 0 12px 2px 0; }
.handover .hours { display: block; width: 100%; fill: var(--soft); stroke: none; }
.handover .hours path { stroke: var(--text); }
.handover .worst { padding-left: 22px; }
.handover .worst > li { margin: 0 0 10px; }
.handover .evidence { margin-top: 2px; padding: 4px 8px; border-left: 3px solid var(--line); background: var(--wash); }
.handover code { font: 12px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
.handover .comment { margin: 0 0 10px; }
.handover .comment .body { overflow-wrap: anywhere; white-space: pre-wrap; }
.handover .facts div { display: grid; grid-template-columns: 110px minmax(0, 1fr); gap: 8px; padding: 1px 0; }
.handover .facts dt { color: var(--soft); }
.handover .facts dd { overflow-wrap: anywhere; }
@media screen and (max-width: 640px) { .handover .beside { grid-template-columns: minmax(0, 1fr); } }
@page { margin: 15mm 14mm 17mm;
  @bottom-left { content: "Report"; color: #50555f; font: 8pt system-ui, sans-serif; }
  @bottom-right { content: counter(page) " of " counter(pages); color: #50555f; font: 8pt system-ui, sans-serif; } }
@media print {
  .handover { font-size: 9pt; }
  .handover h1 { font-size: 16pt; }
  .handover h2 { margin-top: 12pt; font-size: 12pt; }
  .handover h3 { margin-top: 9pt; font-size: 9.5pt; }
  .handover .appendix table { font-size: 8pt; }
  .handover .figures dd { font-size: 14pt; }
  .handover :is(code, .soft.line) { font-size: 7.5pt; }
  .handover :is(h1, h2, h3) { break-after: avoid; }
  .handover .summary + section, .handover .appendix { break-before: page; }
  .handover .appendix > h2, .handover .summary + section > h2 { margin-top: 0; }
  .handover thead { display: table-header-group; }
  .handover :is(tr, .worst > li, .hours, .beside, .facts div) { break-inside: avoid; }
  .handover .comment { orphans: 3; widows: 3; }
  .handover .evidence { print-color-adjust: exact; }
}
`;
