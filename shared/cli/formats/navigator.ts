import { severities, type Severity, techniquesOf } from '@svc/domain';
import type { MergedFinding } from '../analysis/totals.ts';
import type { Run } from '../report.ts';
import { counted, number } from './text.ts';
import type { Writer } from './writer.ts';

const colours: Readonly<Record<Severity, string>> = {
  informational: '#c7d3dd',
  low: '#8fb8de',
  medium: '#f2c14e',
  high: '#f0803c',
  critical: '#c3283a',
};
const ascending = severities.toReversed();
const shownRules = 10;

/**
 * A layer of the ATT&CK Navigator (layer format 4.5) with the techniques of all logs: scored and coloured by the worst
 * rule that matched, from 1 for informational to 5 for critical.
 */
export function navigatorWriter(): Writer {
  return {
    begin: () => [],
    add: () => [],
    end: (run) => [`${JSON.stringify(layer(run), null, 2)}\n`],
    notes: () => [],
  };
}

function layer({ totals, analyzed }: Run): unknown {
  return {
    name: 'Sigma detections',
    // Without a version of ATT&CK the layer is of the one that the Navigator shows.
    versions: { navigator: '5.1.0', layer: '4.5' },
    domain: 'enterprise-attack',
    description: `What Sigma rules found in ${counted(totals.events, 'event')} of ${counted(analyzed, 'log')}`,
    sorting: 3,
    layout: {
      layout: 'side',
      showID: true,
      showName: true,
      showAggregateScores: false,
      countUnscored: false,
      aggregateFunction: 'max',
      expandedSubtechniques: 'annotated',
    },
    hideDisabled: false,
    techniques: techniques(totals.findings()),
    gradient: { colors: ascending.map((severity) => colours[severity]), minValue: 1, maxValue: ascending.length },
    legendItems: severities.map((severity) => ({ label: severity, color: colours[severity] })),
    showTacticRowBackground: false,
    selectTechniquesAcrossTactics: true,
    selectSubtechniquesWithParent: false,
    selectVisibleTechniques: false,
  };
}

/** In order of their ids; parents of matched sub-techniques are opened, so that these are seen. */
function techniques(findings: readonly MergedFinding[]): unknown[] {
  const byId = new Map<string, MergedFinding[]>();
  for (const finding of findings) {
    for (const id of new Set(techniquesOf(finding.tags))) {
      if (/^T\d{4}(\.\d{3})?$/.test(id)) byId.set(id, [...(byId.get(id) ?? []), finding]);
    }
  }
  const parents = new Set([...byId.keys()].filter((id) => id.includes('.')).map((id) => id.slice(0, 5)));
  return [...new Set([...byId.keys(), ...parents])].sort().map((techniqueID) => ({
    techniqueID,
    enabled: true,
    ...scored(byId.get(techniqueID) ?? []),
    ...(parents.has(techniqueID) && { showSubtechniques: true }),
  }));
}

/** What is said of a technique; findings come worst first. */
function scored(findings: readonly MergedFinding[]): object {
  const [worst] = findings;
  if (worst === undefined) return {};
  const lines = findings.map(({ severity, ruleName, author, count }) => {
    return `${severity}: ${ruleName} (${number(count)})${author === null ? '' : `, by ${author}`}`;
  });
  const more = lines.length - shownRules;
  return {
    score: ascending.indexOf(worst.severity) + 1,
    comment: [...lines.slice(0, shownRules), ...(more > 0 ? [`and ${counted(more, 'more rule')}`] : [])].join('\n'),
    metadata: [
      { name: 'rules', value: number(findings.length) },
      { name: 'events', value: number(findings.reduce((sum, { count }) => sum + count, 0)) },
      { name: 'hosts', value: number(new Set(findings.flatMap(({ computers }) => [...computers])).size) },
    ],
  };
}
