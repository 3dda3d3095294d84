import { Button } from '@mantine/core';
import type { ApiToken } from '@svc/contracts';
import { IconKey, IconPlus, IconShieldExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { apiTokensQuery } from '../../api/admin.ts';
import { cx } from '../../ui/class-names.ts';
import { focusStep } from '../../ui/focus-step.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Age, Day } from '../../ui/time.tsx';
import { useKeys } from '../../ui/use-keys.ts';
import styles from './admin.module.css';
import { CreateToken, RevokeToken } from './token-dialogs.tsx';
import { TokenState } from './token-state.tsx';

type Asked = { readonly what: 'create' } | { readonly what: 'revoke'; readonly token: ApiToken };

/** All API tokens of the service, for administrators. */
export function ApiTokensPage() {
  const { data, error, refetch } = useQuery(apiTokensQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const create = (
    <Button
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
      onClick={() => setAsked({ what: 'create' })}
    >
      Create token
    </Button>
  );
  return (
    <>
      <title>API tokens · svc</title>
      <PageHead title="API tokens" total={data?.tokens.length}>
        <GuideLink chapter="accounts">How a script uses a token</GuideLink>
        {data?.tokens.length === 0 ? null : create}
      </PageHead>
      {data?.behind_basic_auth && <BasicAuth />}
      {data === undefined && error ? (
        <ErrorState what="The tokens cannot be listed" error={error} retry={() => void refetch()} />
      ) : data?.tokens.length === 0 ? (
        <EmptyState icon={IconKey} title="No API tokens yet" action={create}>
          With a token, a script submits logs and reads their states as the account that created it, without its
          password.
        </EmptyState>
      ) : (
        <Table tokens={data?.tokens} onRevoke={(token) => setAsked({ what: 'revoke', token })} />
      )}
      {asked?.what === 'create' && <CreateToken onClose={close} />}
      {asked?.what === 'revoke' && <RevokeToken token={asked.token} onClose={close} />}
    </>
  );
}

function BasicAuth() {
  return (
    <div className={styles.banner}>
      <Notice tone="warn" icon={<IconShieldExclamation size={18} stroke={1.75} aria-hidden />}>
        <strong>A proxy before this service asks for HTTP basic authentication.</strong> A request has one{' '}
        <code>Authorization</code> header, so scripts with a token cannot pass it. Let the proxy pass <code>/api/</code>{' '}
        without a password, or have scripts reach the service past the proxy.
      </Notice>
    </div>
  );
}

function Table({ tokens, onRevoke }: { tokens: ApiToken[] | undefined; onRevoke: (token: ApiToken) => void }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useKeys({
    j: () => focusStep(body.current, '[data-row]', 1),
    k: () => focusStep(body.current, '[data-row]', -1),
  });
  return (
    <div className={cx('card', table.wrap)} aria-busy={tokens === undefined}>
      <table className={cx(table.table, table.roomy)}>
        <thead>
          <tr>
            <th scope="col">Token</th>
            <th scope="col" className={styles.state}>
              State
            </th>
            <th scope="col" className={cx(styles.creator, styles.medium)}>
              Acts as
            </th>
            <th scope="col" className={cx(styles.day, 'num')}>
              Last used
            </th>
            <th scope="col" className={cx(styles.day, 'num')}>
              Expires
            </th>
            <th scope="col" className={cx(styles.day, styles.wide, 'num')}>
              Created
            </th>
            <th scope="col" className={styles.revoke}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={body}>
          {tokens?.map((token) => <Row key={token.id} token={token} onRevoke={() => onRevoke(token)} />) ?? (
            <Placeholders />
          )}
        </tbody>
      </table>
    </div>
  );
}

function Row({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  return (
    <tr className={table.row}>
      <td>
        <span className={styles.main} data-hint={token.name}>
          {token.name}
        </span>
        <span className={table.second} data-hint={token.scopes.join('\n')}>
          <code>{token.prefix}…</code> · {token.scopes.length === 0 ? 'no scopes' : token.scopes.join(', ')}
        </span>
      </td>
      <td>
        <TokenState state={token.state} />
      </td>
      <td className={cx(styles.medium, 'soft')}>{token.creator ?? <span className="faint">Deleted account</span>}</td>
      <td className="num soft">
        {token.last_used_at === null ? <span className="faint">Never</span> : <Age iso={token.last_used_at} />}
      </td>
      <td className="num soft">
        {token.expires_at === null ? <span className="faint">Never</span> : <Day iso={token.expires_at} />}
      </td>
      <td className={cx(styles.wide, 'num soft')}>
        <Age iso={token.created_at} />
      </td>
      <td>
        <div className={styles.actions}>
          {token.state !== 'revoked' && (
            <Button data-row variant="default" aria-label={`Revoke ${token.name}`} onClick={onRevoke}>
              Revoke
            </Button>
          )}
        </div>
      </td>
    </tr>
  );
}

function Placeholders() {
  return Array.from({ length: 3 }, (_, row) => (
    // oxlint-disable-next-line react/no-array-index-key -- placeholders have nothing else
    <tr key={row} className={table.row}>
      {[200, 100, 140, 40, 60, 40, 60].map((width, cell) => (
        // oxlint-disable-next-line react/no-array-index-key -- placeholders have nothing else
        <td key={cell} className={cell === 2 ? styles.medium : cell === 5 ? styles.wide : undefined}>
          <Skeleton width={width} />
        </td>
      ))}
    </tr>
  ));
}
