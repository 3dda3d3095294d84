import { Button } from '@mantine/core';
import { IconDownload, IconGridDots } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { entityMitreQuery } from '../../api/intel.ts';
import { entityLayerDownload } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { count, counted, sentence } from '../../ui/format.ts';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { ScopeNotices } from './entity-scope.tsx';
import styles from './entity-findings.module.css';
import mitre from './entity-mitre.module.css';

/** Techniques of the findings that name it, by their matched events. */
export function EntityMitre({ id, job }: { id: number; job: number | undefined }) {
  const { data, error, refetch } = useQuery(entityMitreQuery(id, job));
  if (data === undefined) {
    if (error) return <ErrorState what="The techniques cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={240} />;
  }
  if (data.technique_total === 0) {
    return (
      <EmptyState icon={IconGridDots} title="No technique is known of it">
        Techniques come from the rules of findings that name it, in jobs that you may see.
      </EmptyState>
    );
  }
  const [{ count: highest } = { count: 1 }] = data.techniques;
  return (
    <>
      <ScopeNotices notices={data.notices} />
      <div className={mitre.head}>
        <p className="soft">
          {counted(data.technique_total, 'technique')} in {counted(data.event_total, 'matched event')}
          {data.technique_total > data.techniques.length && `; the ${data.techniques.length} of most events are shown`}
        </p>
        <Button
          component="a"
          href={entityLayerDownload(id, job)}
          download
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} />}
        >
          Navigator layer
        </Button>
      </div>
      <div className={cx('card', styles.table)}>
        <table className={table.table}>
          <colgroup>
            <col />
            <col style={{ width: '28%' }} />
            <col style={{ width: 200 }} />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">Technique</th>
              <th scope="col">Tactics</th>
              <th scope="col" className="num">
                Matched events
              </th>
            </tr>
          </thead>
          <tbody>
            {data.techniques.map((one) => (
              <tr key={one.technique} className={table.row}>
                <td className="cut" title={one.title}>
                  {one.title}
                </td>
                <td className="soft">
                  {one.tactics.map((tactic) => sentence(tactic.replaceAll('_', ' '))).join(', ')}
                </td>
                <td className="num">
                  <span className={mitre.bar} aria-hidden="true" style={{ width: `${(one.count / highest) * 96}px` }} />
                  {count(one.count)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
