import { IconTopologyStar3 } from '@tabler/icons-react';
import { entityGraphQuery, graphRequest } from '../../../api/intel.ts';
import { EmptyState } from '../../../ui/states.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import type { EntityView } from '../entity-view.ts';
import { GraphView, type GraphViewAsked } from './graph-view.tsx';

interface GraphTabProps {
  readonly id: number;
  readonly job: number | undefined;
  readonly hops: number;
  readonly onChange: (changed: Partial<Pick<EntityView, 'hops'>>) => void;
}

/** What surrounds an entity as a picture. */
export function EntityGraphTab({ id, job, hops, onChange }: GraphTabProps) {
  const whole = (asked: GraphViewAsked) => ({ ...asked, hops, only: undefined });
  return (
    <GraphView
      of="entities"
      id={id}
      job={job}
      folds
      query={(asked) => entityGraphQuery(id, whole(asked))}
      request={(asked) => ({ ...graphRequest(whole(asked)), limit: 100 })}
      choice={
        <Switcher
          label="Steps from the entity"
          value={hops}
          options={[
            [1, '1 step'],
            [2, '2'],
            [3, '3'],
          ]}
          onChange={(value) => onChange({ hops: value })}
        />
      }
      empty={
        <EmptyState icon={IconTopologyStar3} title="Nothing is known to be joined with it">
          Relationships and rule matches join entities. What is merely named in the same log can be followed, too.
        </EmptyState>
      }
    />
  );
}
