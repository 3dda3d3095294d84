import { severities, severityColors, tacticColors, tactics, tagColors, type EntityType } from '@svc/domain';
import { entityTypeLooks } from '../entity-types.tsx';
import type { GraphNode } from './graph-model.ts';

/** What nodes are coloured by (resolved-intel 7.7). */
export const lenses = [
  ['type', 'Type'],
  ['severity', 'Severity'],
  ['tactic', 'Tactic'],
  ['verdict', 'Verdict'],
  ['cluster', 'Cluster'],
] as const;
export type Lens = (typeof lenses)[number][0];

/** Colours of the page as the theme in force has them. */
export interface GraphTheme {
  readonly text: string;
  readonly faint: string;
  readonly ground: string;
  readonly accent: string;
  readonly ring: string;
  readonly edges: Readonly<Record<'typed' | 'finding' | 'job', string>>;
  readonly none: string;
  readonly clusters: readonly string[];
  readonly token: (name: string) => string;
}

const clusterTokens = ['blue', 'orange', 'green', 'purple', 'rose', 'teal', 'yellow', 'indigo', 'cyan', 'red'];

/** The colours of a theme, whichever the page shows. */
export function graphTheme(scheme: 'dark' | 'light'): GraphTheme {
  const themed = document.createElement('div');
  themed.dataset['mantineColorScheme'] = scheme;
  document.body.append(themed);
  const style = getComputedStyle(themed);
  const known = new Map<string, string>();
  const token = (name: string): string => {
    if (!known.has(name)) known.set(name, style.getPropertyValue(`--${name}`).trim());
    return known.get(name)!;
  };
  const names = [
    'line',
    'good',
    'bad',
    ...severities.map((one) => `${one}-fill`),
    ...tactics.map((one) => `tactic-${one}`),
  ];
  for (const name of [...names, ...tagColors.map((one) => `tag-${one}`)]) token(name);
  const theme = themeOf(token);
  themed.remove();
  return theme;
}

function themeOf(token: GraphTheme['token']): GraphTheme {
  return {
    text: token('text'),
    faint: token('text-faint'),
    ground: token('surface'),
    accent: token('accent'),
    ring: token('warn'),
    edges: { typed: token('tactic-discovery'), finding: token('warn'), job: token('line-strong') },
    none: token('line-strong'),
    clusters: clusterTokens.map((name) => token(`tag-${name}`)),
    token,
  };
}

export function typeColor(type: EntityType, { token }: GraphTheme): string {
  return token(`tag-${entityTypeLooks[type].color}`);
}

const verdictTokens = {
  none: 'line-strong',
  clean: 'good',
  unknown: 'text-faint',
  suspicious: 'warn',
  malicious: 'bad',
} as const;

function verdictColor(verdict: GraphNode['verdict'], { token }: GraphTheme): string {
  return token(verdictTokens[verdict]);
}

export function nodeColor(node: GraphNode, lens: Lens, theme: GraphTheme, community: number | undefined): string {
  switch (lens) {
    case 'type':
      return typeColor(node.type, theme);
    case 'severity':
      return node.severity === null
        ? theme.none
        : theme.token(`${node.severity}-fill`) || severityColors[node.severity];
    case 'tactic':
      return node.tactic === null ? theme.none : theme.token(`tactic-${node.tactic}`) || tacticColors[node.tactic];
    case 'verdict':
      return verdictColor(node.verdict, theme);
    case 'cluster':
      return community === undefined ? theme.none : theme.clusters[community % theme.clusters.length]!;
  }
}
