import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { ActionIcon, Button, Switch } from '@mantine/core';
import type { AiProvider, operations, OutputOf } from '@svc/contracts';
import { IconAlertTriangle, IconCircleCheck, IconCopy, IconPlus, IconSparkles, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { aiProviderDeeds, aiProvidersQuery, testAiProvider, useAiProviderDeed } from '../../api/ai-providers.ts';
import { paths } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { Failure } from '../../ui/form.tsx';
import { GuideLink } from '../../ui/guide-link.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { kindNames } from './kind-names.ts';
import { DeleteProvider, EditProvider } from './provider-dialogs.tsx';
import styles from './providers-page.module.css';

type Tested = OutputOf<typeof operations.testAiProvider>;
type Asked = { readonly what: 'new' } | { readonly what: 'edit' | 'delete'; readonly provider: AiProvider };

/** Where models are asked, for administrators. */
export function AiProvidersPage(): ReactNode {
  const { data, error, refetch } = useQuery(aiProvidersQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const add = (
    <Button
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
      onClick={() => setAsked({ what: 'new' })}
    >
      Add provider
    </Button>
  );
  return (
    <>
      <title>AI providers · svc</title>
      <PageHead title="AI providers" total={data?.providers.length}>
        <GuideLink chapter="ai-providers">AI providers in the guide</GuideLink>
        {data !== undefined && data.providers.length > 0 && add}
      </PageHead>
      {data !== undefined && !data.feature_on && (
        <Notice tone="warn" icon={<IconAlertTriangle size={18} stroke={1.75} aria-hidden />}>
          AI analysis is off: nobody can start a run. <Link to={paths.settings}>Switch it on in the settings</Link>.
        </Notice>
      )}
      {data === undefined && error ? (
        <ErrorState what="The providers cannot be listed" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={200} />
      ) : data.providers.length === 0 ? (
        <EmptyState icon={IconSparkles} title="No AI providers yet" action={add}>
          A provider is a language model, hosted by a vendor or by yourselves, that members can have analyse jobs and
          cases.
        </EmptyState>
      ) : (
        <Table providers={data.providers} onAsk={setAsked} />
      )}
      {data !== undefined && asked?.what === 'new' && (
        <EditProvider provider={null} defaults={data.defaults} onClose={close} />
      )}
      {data !== undefined && asked?.what === 'edit' && (
        <EditProvider provider={asked.provider} defaults={data.defaults} onClose={close} />
      )}
      {asked?.what === 'delete' && <DeleteProvider provider={asked.provider} onClose={close} />}
    </>
  );
}

function Table({ providers, onAsk }: { providers: readonly AiProvider[]; onAsk: (asked: Asked) => void }) {
  return (
    <div className={cx('card', table.wrap)}>
      <table className={cx(table.table, table.roomy)}>
        <thead>
          <tr>
            <th scope="col">Provider</th>
            <th scope="col" className={styles.host}>
              Address
            </th>
            <th scope="col" className={styles.token}>
              Token
            </th>
            <th scope="col" className={styles.on}>
              On
            </th>
            <th scope="col" className={styles.buttons}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {providers.map((provider) => (
            <Row key={provider.id} provider={provider} onAsk={onAsk} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ provider, onAsk }: { provider: AiProvider; onAsk: (asked: Asked) => void }) {
  const { id, name, kind, model, base_url: address, has_token: hasToken, enabled, is_default: isDefault } = provider;
  const toggle = useAiProviderDeed(aiProviderDeeds.toggle);
  const makeDefault = useAiProviderDeed(aiProviderDeeds.makeDefault);
  const duplicate = useAiProviderDeed(aiProviderDeeds.duplicate);
  const test = useMutation({ mutationFn: testAiProvider });
  const error = toggle.error ?? makeDefault.error ?? duplicate.error ?? test.error;
  return (
    <>
      <tr className={table.row}>
        <td>
          <LinkButton onClick={() => onAsk({ what: 'edit', provider })}>{name}</LinkButton>{' '}
          {isDefault ? (
            <span className={styles.mark}>Default</span>
          ) : (
            enabled && (
              <LinkButton className={styles.quiet} onClick={() => makeDefault.mutate(id)}>
                Make default
              </LinkButton>
            )
          )}
          <span className={table.second}>
            {model} · {kindNames[kind]}
          </span>
        </td>
        <td className={cx(styles.host, 'soft')} data-hint={address}>
          {address}
        </td>
        <td className={cx(styles.token, 'soft')}>{hasToken ? 'Set' : <span className="faint">None</span>}</td>
        <td>
          <Switch
            size="xs"
            aria-label={`${name} is on`}
            checked={toggle.isPending ? !enabled : enabled}
            onChange={() => toggle.mutate(id)}
          />
        </td>
        <td>
          <div className={styles.icons}>
            <Button
              variant="default"
              size="xs"
              aria-label={`Test ${name}`}
              loading={test.isPending}
              onClick={() => test.mutate(id)}
            >
              Test
            </Button>
            <ActionIcon
              aria-label={`Copy ${name}`}
              data-hint="Copy"
              loading={duplicate.isPending}
              onClick={() => duplicate.mutate(id)}
            >
              <IconCopy size={18} stroke={1.75} />
            </ActionIcon>
            <ActionIcon
              aria-label={`Delete ${name}`}
              data-hint="Delete"
              onClick={() => onAsk({ what: 'delete', provider })}
            >
              <IconTrash size={18} stroke={1.75} />
            </ActionIcon>
          </div>
        </td>
      </tr>
      {(error !== null || test.data !== undefined) && (
        <tr>
          <td colSpan={5}>
            {error === null ? test.data !== undefined && <TestResult tested={test.data} /> : <Failure error={error} />}
          </td>
        </tr>
      )}
    </>
  );
}

function TestResult({ tested: { ok, latency_ms: ms, text, error } }: { tested: Tested }) {
  const took = `${(ms / 1000).toFixed(1)} s`;
  return ok ? (
    <Notice tone="good" icon={<IconCircleCheck size={18} stroke={1.75} aria-hidden />}>
      The model answered after {took}: “{text}”
    </Notice>
  ) : (
    <Notice tone="bad" icon={<IconAlertTriangle size={18} stroke={1.75} aria-hidden />}>
      The test failed after {took}. {error}
    </Notice>
  );
}
