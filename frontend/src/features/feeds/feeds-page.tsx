import { operations, type Me } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { operationQuery } from '../../api/query-key.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { GuideLink } from '../../ui/guide-link.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import styles from './feeds-page.module.css';

const feedsQuery = operationQuery(operations.getFeeds, {});

/** What the feed is written as, and for whom. */
const formats = [
  ['JSON', '', 'Scripts, and SIEMs that read JSON'],
  ['CSV', '?format=csv', 'Lookup tables of Splunk, watchlists of Microsoft Sentinel'],
  ['STIX 2.1 bundle', '?format=stix', 'Threat intelligence platforms that fetch files'],
  ['MISP event', '?format=misp', 'Importing once into MISP'],
  ['MISP feed', '/misp', 'The address of a feed in MISP, which fetches what is new by itself'],
] as const;

/** Where other programs fetch what is known, and what they need for it. */
export function FeedsPage({ me }: { me: Me }) {
  const { data, error, refetch } = useQuery(feedsQuery);
  const { origin } = window.location;
  const token =
    me.role === 'admin' ? (
      <Link to={paths.apiTokens} className={styles.link}>
        Create a token
      </Link>
    ) : (
      'An administrator creates tokens'
    );
  return (
    <>
      <title>Feeds · svc</title>
      <PageHead title="Feeds">
        <GuideLink chapter="feeds" />
      </PageHead>
      <div className={styles.page}>
        <Part name="Indicator feed" scope="ioc_feed:read" token={token}>
          <p className={styles.about}>
            Everything that logs name and nobody has allowlisted, last seen first, with what the jobs that the token’s
            creator sees say of it. It takes the searches of the entities page, as <code>?q=is:watched</code>.
          </p>
          <dl className={styles.rows}>
            {formats.map(([name, rest, use]) => (
              <Row key={name} name={name} address={`${origin}/intel/ioc-feed${rest}`} note={use} />
            ))}
          </dl>
          <Snippet what="the call">{`curl -H 'Authorization: Bearer TOKEN' \\\n  '${origin}/intel/ioc-feed?format=csv&types=ip,domain,hash'`}</Snippet>
        </Part>
        <Part name="TAXII 2.1" scope="taxii:read" token={token}>
          {data === undefined ? (
            error ? (
              <ErrorState what="Whether TAXII is on is not known" error={error} retry={() => void refetch()} />
            ) : (
              <Skeleton height={160} />
            )
          ) : (
            <Taxii origin={origin} isOn={data.taxii} collections={data.collections} />
          )}
        </Part>
        <Part name="Setting up other programs">
          <dl className={styles.rows}>
            <dt>MISP</dt>
            <dd>
              Sync Actions → Feeds → Add: the address of the MISP feed above, source format <em>MISP Feed</em>, and the
              header <code>Authorization: Bearer TOKEN</code>.
            </dd>
            <dt>OpenCTI</dt>
            <dd>
              The TAXII 2 connector: the discovery address as <code>TAXII2_DISCOVERY_URL</code>, the token as its API
              key with the header <code>Authorization</code> and <code>Bearer</code> before it, and the collections{' '}
              <code>svc.live-iocs</code>.
            </dd>
            <dt>Microsoft Sentinel</dt>
            <dd>
              The TAXII connector sends a name and a password and no token, so have a playbook or an Azure function
              fetch the STIX bundle, or import the CSV as a watchlist.
            </dd>
            <dt>Splunk, Elastic</dt>
            <dd>
              A scheduled call of the feed as CSV or JSON. Send the <code>ETag</code> of the last answer as{' '}
              <code>If-None-Match</code>: where nothing is new, the answer is 304 and empty.
            </dd>
          </dl>
        </Part>
      </div>
    </>
  );
}

interface Collection {
  readonly id: string;
  readonly alias: string;
  readonly description: string;
}

function Taxii({ origin, isOn, collections }: { origin: string; isOn: boolean; collections: readonly Collection[] }) {
  const root = `${origin}/taxii2/svc/`;
  return (
    <>
      {isOn ? (
        <p className={styles.about}>
          TAXII is on. Clients poll with the date of what they read last and get what has changed since.
        </p>
      ) : (
        <Notice tone="info">
          TAXII is off, and nothing is at these addresses. The operator switches it on with{' '}
          <code>TAXII_ENABLED=true</code>.
        </Notice>
      )}
      <dl className={styles.rows}>
        <Row name="Discovery" address={`${origin}/taxii2/`} />
        <Row name="API root" address={root} />
        {collections.map(({ id, alias, description }) => (
          <Row key={id} name={alias} address={`${root}collections/${id}/`} note={description} />
        ))}
      </dl>
      <Snippet what="the call">{`curl -H 'Authorization: Bearer TOKEN' \\\n  -H 'Accept: application/taxii+json;version=2.1' \\\n  '${root}collections/live-iocs/objects/?limit=100'`}</Snippet>
    </>
  );
}

function Part(props: { name: string; scope?: string; token?: ReactNode; children: ReactNode }) {
  const { name, scope, token, children } = props;
  return (
    <section className={cx('card', styles.card)}>
      <h2 className={styles.name}>{name}</h2>
      {scope !== undefined && (
        <p className={styles.note}>
          Needs an API token with the scope <code>{scope}</code>. {token}
        </p>
      )}
      {children}
    </section>
  );
}

function Row({ name, address, note }: { name: string; address: string; note?: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <span className={styles.address}>
          <code>{address}</code>
          <CopyButton text={address} what={`the address of ${name}`} />
        </span>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </dd>
    </>
  );
}

function Snippet({ what, children }: { what: string; children: string }) {
  return (
    <div className={styles.snippet}>
      <CopyButton text={children} what={what} className={styles.copy} />
      <pre>{children}</pre>
    </div>
  );
}
