import { ActionIcon } from '@mantine/core';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { alertRulesQuery, ruleDeeds, useRuleDeed } from '../../api/alert-rules.ts';

interface StarButtonProps {
  readonly entity: { readonly id: number; readonly value: string; readonly watchlist: boolean };
}

/** Whether one watches an entity: by a rule of one's own, which alerts when a job names it. */
export function StarButton({ entity: { id, value, watchlist } }: StarButtonProps) {
  const { data } = useQuery(alertRulesQuery);
  const star = useRuleDeed(() => ruleDeeds.star(id));
  const isMine = data?.mine.some((rule) => rule.auto_entity_id === id) ?? false;
  const Sign = isMine || watchlist ? IconStarFilled : IconStar;
  return (
    <ActionIcon
      size={24}
      aria-label={`Watch ${value}`}
      aria-pressed={isMine}
      data-hint={
        star.error?.message ??
        (isMine
          ? 'You are alerted when a job names it; click to stop'
          : watchlist
            ? 'Somebody else watches it; click to be alerted, too'
            : 'Be alerted when a job names it')
      }
      loading={star.isPending}
      onClick={() => star.mutate(undefined)}
    >
      <Sign size={14} style={{ color: isMine ? 'var(--accent)' : undefined }} aria-hidden="true" />
    </ActionIcon>
  );
}
