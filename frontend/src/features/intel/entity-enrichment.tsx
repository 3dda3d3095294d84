import { Button } from '@mantine/core';
import type { EnrichedService, Enrichment } from '@svc/contracts';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { entityEnrichmentQuery, rawEnrichmentQuery, useEnrich } from '../../api/enrichment.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Age } from '../../ui/time.tsx';
import styles from './entity-enrichment.module.css';

type Result = NonNullable<EnrichedService['result']>;

/** Why there is no answer, in words. */
const reasons: Readonly<Record<string, string>> = {
  no_endpoint: 'It has no address for this value',
  network_error: 'It did not answer',
  too_large: 'Its answer is too large',
  rate_limited: 'Its limit of requests is reached; try again in a minute',
  paused: 'It is left alone for a while, since it fails',
  http_401: 'It refuses the token (401)',
  http_403: 'It refuses the token (403)',
  http_404: 'It knows nothing of this (404)',
  http_429: 'It wants fewer requests (429)',
};

/** What files on this machine and services of others know of an entity. */
export function EntityEnrichment({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(entityEnrichmentQuery(id));
  if (data === undefined) {
    if (error) return <ErrorState what="This cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={48} />;
  }
  const { links, offline, services } = data;
  const isEmpty = links.length === 0 && services.length === 0 && !isKnown(offline);
  if (isEmpty) return <p className="soft">No service is set up for entities of this type.</p>;
  return (
    <div className={styles.parts}>
      {isKnown(offline) && <Offline offline={offline} />}
      {services.map((service) => (
        <Service key={service.id} id={id} service={service} />
      ))}
      {links.length > 0 && (
        <ul className={styles.links} aria-label="Look it up elsewhere">
          {links.map(({ name, url }) => (
            <li key={name}>
              <a href={url} target="_blank" rel="noreferrer noopener">
                {name} <IconExternalLink size={12} stroke={1.75} aria-label="in a new tab" />
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function isKnown({ asn, country, known_good: isGood }: Enrichment['offline']): boolean {
  return asn !== null || country !== null || isGood !== null;
}

function Offline({ offline: { asn, country, known_good: isGood } }: { offline: Enrichment['offline'] }) {
  return (
    <dl className={styles.facts}>
      {country && (
        <>
          <dt>Country</dt>
          <dd>
            {country.name}
            {country.code !== country.name && <span className="faint"> {country.code}</span>}
          </dd>
        </>
      )}
      {asn && (
        <>
          <dt>Network</dt>
          <dd>
            AS{asn.number} {asn.organization}
          </dd>
        </>
      )}
      {isGood !== null && (
        <>
          <dt>Known file</dt>
          <dd>{isGood ? 'Yes, in the list of known files' : 'No, not in the list of known files'}</dd>
        </>
      )}
    </dl>
  );
}

function Service({ id, service: { id: serviceId, name, result } }: { id: number; service: EnrichedService }) {
  const enrich = useEnrich(id, serviceId);
  const [isRaw, setRaw] = useState(false);
  return (
    <section aria-label={name} className={styles.service}>
      <div className={styles.head}>
        <h3 className={styles.name}>{name}</h3>
        {result?.ok && result.verdict !== 'none' && (
          <span className={cx(styles.verdict, styles[result.verdict])}>{result.verdict}</span>
        )}
        {result?.fetched_at && (
          <span className="faint">
            asked <Age iso={result.fetched_at} isSaid />
          </span>
        )}
        <span className={styles.buttons}>
          {result?.has_raw && (
            <Button variant="subtle" size="compact-xs" aria-expanded={isRaw} onClick={() => setRaw(!isRaw)}>
              Raw
            </Button>
          )}
          <Button
            variant="default"
            size="compact-xs"
            loading={enrich.isPending}
            data-hint={`${name} learns that somebody looked this value up; all members see what it says`}
            onClick={() => enrich.mutate(result !== null)}
          >
            {result === null ? 'Fetch' : 'Refresh'}
          </Button>
        </span>
      </div>
      {enrich.error && <Failure error={enrich.error} />}
      {result && (result.ok ? <Summary result={result} /> : <p className={styles.failed}>{reasonFor(result)}</p>)}
      {isRaw && <Raw id={id} serviceId={serviceId} />}
    </section>
  );
}

function Summary({ result: { summary } }: { result: Result }) {
  const entries = Object.entries(summary);
  if (entries.length === 0) return <p className="soft">It answered; what it said is in the raw text.</p>;
  return (
    <dl className={styles.facts}>
      {entries.map(([label, value]) => (
        <div key={label} className={styles.fact}>
          <dt>{label.replaceAll('_', ' ')}</dt>
          <dd>{Array.isArray(value) ? value.join(', ') : value}</dd>
        </div>
      ))}
    </dl>
  );
}

function reasonFor({ error = '' }: Result): string {
  if (error.startsWith('blocked_target')) return `It is not asked: ${error.replace(/^blocked_target:? ?/, '')}`;
  return reasons[error] ?? `It failed (${error.replace('http_', '')})`;
}

function Raw({ id, serviceId }: { id: number; serviceId: number }) {
  const { data, error, refetch } = useQuery(rawEnrichmentQuery(id, serviceId));
  if (data === undefined) {
    if (error) return <ErrorState what="The answer cannot be read" error={error} retry={() => void refetch()} />;
    return <Skeleton height={120} />;
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it
    <pre className={styles.raw} tabIndex={0}>
      {data.raw}
    </pre>
  );
}
