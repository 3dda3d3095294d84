import type { EntityRow } from '@svc/contracts';
import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';

/** A value that leads to the page of its entity. */
export function EntityLink(props: {
  entity: Pick<EntityRow, 'id' | 'value'>;
  className?: string | undefined;
  /** It stands for its row of a table, whose keys find it. */
  isRow?: boolean;
}) {
  const { entity, className, isRow = false } = props;
  return (
    <Link
      to={paths.entity}
      params={{ entityId: entity.id }}
      className={className}
      title={entity.value}
      {...(isRow && { 'data-row': true })}
    >
      {entity.value}
    </Link>
  );
}
