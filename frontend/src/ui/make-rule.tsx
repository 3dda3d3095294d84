import { Button } from '@mantine/core';
import { formatValue, parseEntitySearch, parseSearch } from '@svc/domain';
import { IconBell } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';

interface MakeRuleProps {
  readonly scope: 'entity' | 'job';
  readonly q: string;
  /** What the page narrows beside it. */
  readonly tags: readonly string[];
  readonly types?: readonly string[];
}

/** Leads from a search to a new alert rule of it. */
export function MakeRule(props: MakeRuleProps) {
  return (
    <Button
      variant="default"
      leftSection={<IconBell size={14} stroke={1.75} />}
      data-hint="Be told when a job meets this search"
      renderRoot={(root) => (
        <Link
          to={paths.alertRules}
          search={{ rule: 'new', q: conditionOf(props), ...(props.scope === 'job' && { scope: 'job' }) }}
          {...root}
        />
      )}
    >
      Make a rule
    </Button>
  );
}

/** All that is asked for, in one text. */
function conditionOf({ scope, q, tags, types = [] }: MakeRuleProps): string {
  const more = [
    ...(types.length > 0 ? [`type:${types.join(',')}`] : []),
    ...(tags.length > 0 ? [`tag:${tags.map(formatValue).join(',')}`] : []),
  ];
  if (more.length === 0 || q === '') return [q, ...more].join('');
  if (scope === 'entity') {
    // Without a term the text is read as a whole, which a term beside it would end.
    const { mode } = parseEntitySearch(q);
    return [mode === 'phrase' ? `"${q}"` : mode === 'boolean' ? `(${q})` : q, ...more].join(' ');
  }
  const alternatives = new Map<number, string[]>();
  for (const { alternative, text } of parseSearch(q).terms)
    alternatives.set(alternative, [...(alternatives.get(alternative) ?? []), text]);
  return [...alternatives.values()].map((terms) => [...terms, ...more].join(' ')).join(' OR ');
}
