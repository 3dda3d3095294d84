import { loadRules, type RuleSet } from '@svc/engine';

const sources = [
  'product: windows',
  'product: windows\n  category: process_creation',
  'product: linux\n  service: auditd',
  'product: linux\n  category: process_creation',
  'product: linux',
  'product: aws\n  service: cloudtrail',
  'category: webserver',
  'product: zeek\n  service: dns',
  'category: proxy',
  'category: firewall',
];

const detections = [
  "  s:\n    Image|endswith: '.exe'\n    CommandLine|contains|windash:\n      - ' -enc'\n      - 'whoami'\n  condition: s",
  "  s:\n    - EventID: [1, 4688, 4104]\n    - type: EXECVE\n    - eventName|startswith: Get\n    - sc-status: '*'\n  f:\n    Nothing|exists: true\n  condition: s and not f",
  "  keywords:\n    - 'error'\n    - '|all': [a, e]\n  condition: keywords",
  "  s:\n    cs-uri|re|i: '(select|union).{0,20}from'\n    query|re: '^[a-z0-9]{5,}\\.'\n  r:\n    a1|re: '(a|aa)+b'\n  condition: 1 of them",
  "  s:\n    c-ip|cidr: 10.0.0.0/8\n    src_ip|cidr: 'fe80::/10'\n    SubjectUserName|fieldref: TargetUserName\n    id|gt: 5\n  condition: 1 of s* or s",
  "  s:\n    Data|base64offset|contains: 'http'\n    ScriptBlockText|wide|base64offset|contains: 'IEX'\n  condition: s",
];

const correlations = [
  'event_count\n  group-by: [Computer]\n  timespan: 5m\n  condition: {gte: 2}',
  'value_count\n  timespan: 1h\n  condition: {field: EventID, gte: 2}',
];

/** A few rules for each kind of log, with a modifier of each kind, and correlations over them. */
export const ruleTexts: readonly string[] = [
  ...sources.flatMap((source, s) =>
    detections.flatMap((detection, d) =>
      // All for Windows, two for each other kind: few enough to be bound anew for every source an input invents.
      s === 0 || (s + d) % 3 === 0
        ? `title: Rule ${s} ${d}\nname: rule_${s}_${d}\nlogsource:\n  ${source}\ndetection:\n${detection}\nlevel: high\n`
        : [],
    ),
  ),
  ...correlations.map(
    (text, i) =>
      `title: Correlation ${i}\ncorrelation:\n  rules: [rule_0_${i}, rule_2_1, rule_4_2]\n  generate: true\n  type: ${text}\n`,
  ),
  'title: Filter\nlogsource:\n  product: windows\nfilter:\n  rules: [rule_0_1]\n  s:\n    Computer|startswith: adm\n  condition: not s\n',
];

/** The rules that inputs are matched against. */
export function fuzzRules(): RuleSet {
  const { rules, rejected } = loadRules(ruleTexts.map((text, i) => ({ path: `${i}.yml`, text })));
  if (rejected.length > 0) throw new Error(rejected.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  return rules;
}

/** What rules are made of, put in at any place of a rule that is to be hostile. */
export const ruleTokens: readonly string[] = [
  '|contains',
  '|all',
  '|re',
  '|re|i',
  '|base64offset',
  '|utf16',
  '|wide',
  '|cidr',
  '|windash',
  '|cased',
  '|exists',
  '|fieldref',
  '|expand',
  '|gt',
  '|neq',
  '|minute',
  '|unknown',
  '1 of them',
  'all of s*',
  '2 of *',
  ' and not ',
  ' or ',
  ' | count() > 5',
  '(((',
  ')',
  '%Users%',
  '*?\\*',
  '\\\\',
  'null',
  "''",
  '~',
  '&a ',
  '*a',
  '[',
  ']',
  '{',
  '}',
  '- ',
  '\n',
  '\n  ',
  ': ',
  '#',
  "'",
  '"',
  '---\n',
  '? ',
  '!!binary ',
  '<<: ',
  '|2\n',
  '>-\n',
  '(a|aa)+$',
  '(.*)*',
  '((a{9}){9}){9}',
  '(?i)',
  '(?=x)',
  '(?<!x)y',
  '\\1',
  '[^\\d\\W',
  '\\p{L}',
  '\\x{110000}',
  '{2,1}',
  '.{1000}',
  '$^',
  '\\b',
  '10.0.0.0/33',
  'fe80::/129',
  '99999999999999999999',
  '-1',
  '1e400',
  '0x1F',
  'generate: true',
  'timespan: 0s',
  'condition:',
  'group-by:',
  'percentile: 101',
  'İ',
  '\u0000',
  '__proto__: x',
];
