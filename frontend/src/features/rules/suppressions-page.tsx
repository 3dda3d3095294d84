import { Button, FileButton } from '@mantine/core';
import { call, operations, type Suppression } from '@svc/contracts';
import { IconEyeOff } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { refreshPacks } from '../../api/rule-packs.ts';
import { suppressionsQuery, useRemoveSuppression } from '../../api/suppressions.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { counted, sentence } from '../../ui/format.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Day } from '../../ui/time.tsx';
import styles from './suppressions-page.module.css';

const route = getRouteApi(paths.suppressions);

/** What is suppressed as known to be benign: which matches, who said so and why, and how often that has hit. */
export function SuppressionsPage(): ReactNode {
  const { case: caseId } = route.useSearch();
  const { data, error, refetch } = useQuery(suppressionsQuery(caseId ?? null));
  const isOfInstance = caseId === undefined;
  return (
    <>
      <title>Suppressions · svc</title>
      <PageHead title={isOfInstance ? 'Suppressions' : 'Suppressions of a case'} total={data?.suppressions.length}>
        {isOfInstance ? (
          <Link to={paths.rules}>Rules</Link>
        ) : (
          <Link to={paths.case} params={{ caseId }}>
            The case
          </Link>
        )}
      </PageHead>
      <p className={styles.about}>
        {isOfInstance
          ? 'Matches of rules that are ordinary here. They are shown in reports, and count neither for severities nor for alerts and searches. Reports that were there when one is taken back count them again as soon as that is done.'
          : 'Matches of rules that are ordinary in this case. Reports of its jobs stay as they are.'}
      </p>
      {isOfInstance && data?.can_add && <Documents />}
      {error ? (
        <ErrorState what="The suppressions cannot be listed" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={240} />
      ) : data.suppressions.length === 0 ? (
        <EmptyState icon={IconEyeOff} title="Nothing is suppressed">
          Open a finding in a report and choose “Not in my environment”.
        </EmptyState>
      ) : (
        <div className={cx('card', styles.wrap)}>
          <Rows suppressions={data.suppressions} />
        </div>
      )}
    </>
  );
}

const testNames = { equals: '=', contains: 'contains', startswith: 'starts with', endswith: 'ends with' } as const;

function Rows({ suppressions }: { suppressions: readonly Suppression[] }) {
  const remove = useRemoveSuppression();
  return (
    <>
      {remove.error && <Failure error={remove.error} />}
      <table className={cx(table.table, styles.rows)}>
        <thead>
          <tr>
            <th scope="col">Rule and conditions</th>
            <th scope="col">Why</th>
            <th scope="col">Hits</th>
            <th scope="col">Until</th>
            <th scope="col">
              <span className="sr-only">Take back</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {suppressions.map((one) => (
            <tr key={one.id}>
              <td>
                <strong>{one.rule_name}</strong>
                <What conditions={one.conditions} />
              </td>
              <td>
                {one.reason ?? <span className="soft">Written down from a private job</span>}
                <span className={styles.small}>
                  {one.author?.name ?? 'An account that is gone'}, <Day iso={one.created_at} />
                </span>
              </td>
              <td>
                <Hits of={one} />
              </td>
              <td>
                {one.expires_at === null ? 'It is taken back' : <Day iso={one.expires_at} />}
                {one.state !== 'active' && <span className={styles.small}>{sentence(one.state)}</span>}
              </td>
              <td>
                {one.can_remove && (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Take back: ${one.rule_name}`}
                    loading={remove.isPending && remove.variables === one.id}
                    onClick={() => remove.mutate(one.id)}
                  >
                    Take back
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function What({ conditions }: Pick<Suppression, 'conditions'>) {
  if (conditions === null) return <span className={styles.small}>Some of its matches</span>;
  if (conditions.length === 0) return <span className={styles.small}>All of its matches</span>;
  return (
    <ul className={styles.conditions}>
      {conditions.map(({ field, test, value }) => (
        <li key={`${field} ${test} ${value}`}>
          <code>{field}</code> {testNames[test]} <code>{value}</code>
        </li>
      ))}
    </ul>
  );
}

function Hits({ of: { hits } }: { of: Suppression }) {
  if (hits.findings === 0) return <span className="soft">None that you may see</span>;
  return (
    <>
      {counted(hits.events, 'event')} in {counted(hits.jobs, 'job')}
      {hits.last_at !== null && (
        <span className={styles.small}>
          last in a job of <Day iso={hits.last_at} />
        </span>
      )}
    </>
  );
}

/** All decisions about rules as a file, and back. */
function Documents() {
  const take = useMutation({
    mutationFn: async (file: File) => call(operations.importRuleDecisions, { document: await file.text() }),
    onSettled: refreshPacks,
  });
  return (
    <>
      <p className={styles.documents}>
        <a href="/api/v1/rule-decisions" download>
          Export them with the decisions about packs
        </a>
        <FileButton accept=".yml,.yaml" onChange={(file) => file && take.mutate(file)}>
          {(props) => (
            <Button {...props} size="xs" variant="default" loading={take.isPending}>
              Import a file
            </Button>
          )}
        </FileButton>
      </p>
      {take.error && <Failure error={take.error} />}
      {take.data && (
        <p role="status" className={styles.about}>
          {counted(take.data.overrides, 'decision')} about packs and {counted(take.data.suppressions, 'suppression')}{' '}
          taken in. {take.data.skipped.join('. ')}
        </p>
      )}
    </>
  );
}
