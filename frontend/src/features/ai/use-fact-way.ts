import type { AiFact } from '@svc/contracts';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { AiSubject } from '../../api/ai-runs.ts';
import { paths } from '../../paths.ts';
import type { DoorKind } from '../../ui/door-value.ts';
import { useDoor } from '../../ui/door.tsx';

const doors: Partial<Record<AiFact['kind'], DoorKind>> = {
  technique: 'technique',
  ip: 'ip',
  hash: 'hash',
  host: 'host',
  user: 'user',
  domain: 'domain',
  program: 'program',
  path: 'other',
  service: 'other',
  task: 'other',
  url: 'other',
};

/** Where values of an answer lead: to their finding or job, beside the report, or to their page. */
export function useFactWay({ kind }: AiSubject): {
  readonly leads: (fact: AiFact) => boolean;
  readonly open: (fact: AiFact, from: HTMLElement) => void;
} {
  const door = useDoor();
  const navigate = useNavigate();
  const hasDoor = door !== null;
  const leads = useCallback(
    (fact: AiFact) =>
      fact.finding_id !== null ||
      (kind === 'case' && (fact.kind === 'job' || fact.entity_id !== null)) ||
      (kind === 'job' && hasDoor && doors[fact.kind] !== undefined),
    [kind, hasDoor],
  );
  const open = useCallback(
    (fact: AiFact, from: HTMLElement) => {
      const { finding_id: finding, job_id: job, entity_id: entity, value } = fact;
      const as = doors[fact.kind];
      if (job !== null && (finding !== null || fact.kind === 'job'))
        void navigate({ to: paths.job, params: { jobId: job }, search: finding === null ? {} : { finding } });
      else if (kind === 'job' && door !== null && as !== undefined) door({ kind: as, value }, from);
      else if (entity !== null) void navigate({ to: paths.entity, params: { entityId: entity }, search: {} });
    },
    [kind, door, navigate],
  );
  return { leads, open };
}
