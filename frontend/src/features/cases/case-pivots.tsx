import { Button } from '@mantine/core';
import { operations } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { casePivotsQuery, useCaseDeed } from '../../api/cases.ts';
import { paths } from '../../paths.ts';
import { Failure } from '../../ui/form.tsx';
import { counted } from '../../ui/format.ts';
import { SeverityMark } from '../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import styles from './case-overview.module.css';
import { typeNames } from '../../ui/entity-type-names.ts';

/** What is near to what is in the case, each a press away from it. */
export function CasePivots({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(casePivotsQuery(id));
  const addEntity = useCaseDeed(operations.addCaseEntity);
  const addJob = useCaseDeed(operations.addCaseJob);
  if (data === undefined) {
    if (error) return <ErrorState what="This cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={160} />;
  }
  const { entities, similar, correlated } = data;
  if (entities.length + similar.length + correlated.length === 0)
    return <p className="soft">Nothing, by what is in it so far.</p>;
  const isBusy = addEntity.isPending || addJob.isPending;
  const failed = addEntity.error ?? addJob.error;
  const putJob = (job: number) => () => addJob.mutate({ id, job_id: job });
  return (
    <>
      {failed && <Failure error={failed} />}
      <Group title="Entities of its jobs" isEmpty={entities.length === 0}>
        {entities.map(({ id: entity, value, entity_type: type, occurrence_count: many, jobs }) => (
          <Row
            key={entity}
            what={value}
            isBusy={isBusy}
            onAdd={() => addEntity.mutate({ id, entity_id: entity })}
            hint={`${counted(many, 'event')} in ${counted(jobs, 'job')}`}
          >
            <Link to={paths.entity} params={{ entityId: entity }} className={styles.value} title={value}>
              {value}
            </Link>
            <span className="faint">{typeNames[type]}</span>
          </Row>
        ))}
      </Group>
      <Group title="Jobs with the same findings" isEmpty={correlated.length === 0}>
        {correlated.map(({ id: job, filename, severity, rules, rule_count: many }) => (
          <Row key={job} what={filename} isBusy={isBusy} onAdd={putJob(job)} hint={rules.join(', ')}>
            <span className={styles.fixed}>
              <SeverityMark severity={severity} />
            </span>
            <Link to={paths.job} params={{ jobId: job }} className={styles.name} title={filename}>
              {filename}
            </Link>
            <span className="faint">{counted(many, 'rule')}</span>
          </Row>
        ))}
      </Group>
      <Group title="Similar files" isEmpty={similar.length === 0}>
        {similar.map(({ id: job, filename, distance, like }) => (
          <Row key={job} what={filename} isBusy={isBusy} onAdd={putJob(job)} hint={`Like ${like.filename}`}>
            <Link to={paths.job} params={{ jobId: job }} className={styles.name} title={filename}>
              {filename}
            </Link>
            <span className="faint">distance {distance}</span>
          </Row>
        ))}
      </Group>
    </>
  );
}

function Group({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: ReactNode }) {
  if (isEmpty) return null;
  return (
    <>
      <h3 className={styles.subtitle}>{title}</h3>
      <ul className={styles.list}>{children}</ul>
    </>
  );
}

interface RowProps {
  readonly what: string;
  readonly hint: string;
  readonly isBusy: boolean;
  readonly onAdd: () => void;
  readonly children: ReactNode;
}

function Row({ what, hint, isBusy, onAdd, children }: RowProps) {
  return (
    <li className={styles.row} data-hint={hint}>
      {children}
      <Button variant="default" size="compact-xs" disabled={isBusy} aria-label={`Add ${what}`} onClick={onAdd}>
        Add
      </Button>
    </li>
  );
}
