import type { Rule } from '@svc/engine';
import type { Difference } from './compare.ts';
import type { Pairs } from './pairs.ts';
import type { Side } from './side.ts';

const unexplained = 'UNEXPLAINED';

/**
 * The differences as a table in Markdown, a row per cause.
 * @param listed also every pair of causes that contain this text.
 */
export function report(
  side: Side,
  ours: Pairs,
  differences: readonly Difference[],
  rules: ReadonlyMap<string, Rule>,
  listed?: string,
): string {
  const lines = [
    '',
    `## ${side.name}`,
    '',
    `${side.pairs.size} pairs; ${ours.size - ours.without(side.pairs).length} of them are ours too.`,
    '',
    '| only svc | only it | rules | cause | why we differ | for example |',
    '| ---: | ---: | ---: | --- | --- | --- |',
  ];
  const rows = new Map<string, Difference[]>();
  for (const difference of differences) {
    const name = difference.causes.map((cause) => cause.name).join(' + ') || unexplained;
    rows.set(name, [...(rows.get(name) ?? []), difference]);
  }
  const titleOf = ({ pair }: Difference): string => rules.get(pair.rule)!.title;
  for (const [name, all] of [...rows].sort(([, left], [, right]) => right.length - left.length)) {
    const own = all.filter(({ onlyOurs }) => onlyOurs).length;
    const titles = new Set(all.map(titleOf));
    const why = all[0]!.causes.map((cause) => cause.why).join(' ');
    lines.push(`| ${own} | ${all.length - own} | ${titles.size} | ${name} | ${why} | ${titleOf(all[0]!)} |`);
  }
  if (listed !== undefined) {
    for (const [name, all] of rows) {
      if (!name.includes(listed)) continue;
      const seen = new Map<string, Difference[]>();
      for (const one of all) seen.set(titleOf(one), [...(seen.get(titleOf(one)) ?? []), one]);
      for (const [title, of] of seen) {
        const { pair, onlyOurs } = of[0]!;
        lines.push(`${name}: ${of.length} ${onlyOurs ? 'only svc' : 'only it'}: ${title}: ${pair.log} ${pair.record}`);
      }
    }
  }
  return lines.join('\n');
}
