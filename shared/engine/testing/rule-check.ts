import { Matcher } from '../matching/matcher.ts';
import { loadRules, type LoadOptions } from '../sigma/load-rules.ts';
import { type FakeRecord, fakeEvent } from './fake-event.ts';
import { plainlyHolds } from './plain-evaluator.ts';
import { freshTables } from './read-all.ts';

/** A rule document around the text of a detection; for Windows unless its source says otherwise. */
export function ruleOf(detection: string, logSource = '{product: windows}'): string {
  const indented = detection
    .trim()
    .split('\n')
    .map((line) => `  ${line}`);
  return [`title: Test`, `logsource: ${logSource}`, `detection:`, ...indented, ''].join('\n');
}

/** Whether the rules in a file hold for a record, each in turn, by the matcher and by the plain evaluator alike. */
export function matching(yaml: string, record: FakeRecord, options?: LoadOptions): boolean[] {
  const { rules, rejected } = loadRules([{ path: 'test.yml', text: yaml }], options);
  if (rejected.length > 0) throw new Error(rejected.map(({ message }) => message).join('; '));
  const tables = freshTables();
  const event = fakeEvent(tables, record);
  const matched = new Set<number>();
  const matcher = new Matcher(rules.rules, tables);
  // Twice, since the second time what the first remembered answers.
  for (let i = 0; i < 2; i++) {
    matched.clear();
    matcher.match(event, (rule) => matched.add(rule));
  }
  return rules.rules.map((rule, index) => {
    const plain = plainlyHolds(rule, event, tables.fields);
    if (plain !== matched.has(index)) throw new Error(`the matcher says ${!plain}, the plain evaluator ${plain}`);
    return plain;
  });
}

/** Whether a detection holds for a record of the Application log with this data. */
export function holdsFor(detection: string, data: FakeRecord['data'], options?: LoadOptions): boolean {
  const record = { channel: 'Application', provider: 'Test', eventId: 1, ...(data && { data }) };
  return matching(ruleOf(detection), record, options)[0]!;
}

/** Why a document is not loaded; null when it is. */
export function refusal(yaml: string, options?: LoadOptions): { line: number; message: string } | null {
  const [problem] = loadRules([{ path: 'test.yml', text: yaml }], options).rejected;
  return problem === undefined ? null : { line: problem.line, message: problem.message };
}
