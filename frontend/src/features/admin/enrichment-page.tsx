import { Button, Menu } from '@mantine/core';
import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { operations, type EnrichmentService } from '@svc/contracts';
import { entityLabels } from '@svc/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconDots, IconPlus, IconWorldSearch } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { callConfirmed } from '../../api/confirm-password.ts';
import { enrichmentChanged, enrichmentServicesQuery } from '../../api/enrichment.ts';
import { cx } from '../../ui/class-names.ts';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure, Form } from '../../ui/form.tsx';
import { count, counted } from '../../ui/format.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { Time } from '../../ui/time.tsx';
import { EnrichmentForm } from './enrichment-form.tsx';
import styles from './enrichment-page.module.css';

type Asked =
  | { readonly what: 'save'; readonly service: EnrichmentService | null }
  | { readonly what: 'delete'; readonly service: EnrichmentService };

/** Services that know something about entities, and how each does. */
export function EnrichmentPage(): ReactNode {
  const { data, error, refetch } = useQuery(enrichmentServicesQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const add = (
    <Button
      leftSection={<IconPlus size={16} stroke={1.75} aria-hidden="true" />}
      onClick={() => setAsked({ what: 'save', service: null })}
    >
      Add service
    </Button>
  );
  return (
    <>
      <title>Enrichment · svc</title>
      <PageHead title="Enrichment services" total={data?.services.length}>
        <GuideLink chapter="enrichment">What is sent to whom</GuideLink>
        {data?.services.length === 0 ? null : add}
      </PageHead>
      {data === undefined && error ? (
        <ErrorState what="The services cannot be listed" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={240} />
      ) : data.services.length === 0 ? (
        <EmptyState icon={IconWorldSearch} title="No service is asked yet" action={add}>
          Members can then look an address, a domain or a hash up in VirusTotal, AbuseIPDB, your own MISP and others,
          from its page or for a whole case. Whom they ask learns of the value.
        </EmptyState>
      ) : (
        <Services services={data.services} perMinute={data.default_per_minute} onAsk={setAsked} />
      )}
      {asked?.what === 'save' && (
        <EnrichmentForm service={asked.service} defaultPerMinute={data?.default_per_minute ?? 0} onClose={close} />
      )}
      {asked?.what === 'delete' && <DeleteService service={asked.service} onClose={close} />}
    </>
  );
}

interface ServicesProps {
  readonly services: readonly EnrichmentService[];
  readonly perMinute: number;
  readonly onAsk: (asked: Asked) => void;
}

function Services({ services, perMinute, onAsk }: ServicesProps) {
  const change = useMutation({
    mutationFn: ({ id, what }: { id: number; what: 'toggle' | 'clear' }) =>
      callConfirmed(what === 'toggle' ? operations.toggleEnrichmentService : operations.clearEnrichmentToken, { id }),
    onSuccess: enrichmentChanged,
  });
  return (
    <>
      {change.error && <Failure error={change.error} />}
      <div className={cx('card', table.wrap)}>
        <table className={cx(table.table, table.roomy)}>
          <thead>
            <tr>
              <th scope="col">Service</th>
              <th scope="col" className={styles.state}>
                State
              </th>
              <th scope="col" className={styles.about}>
                Asked about
              </th>
              <th scope="col" className={cx(styles.number, 'num')}>
                A minute
              </th>
              <th scope="col" className={cx(styles.number, 'num')}>
                Answers
              </th>
              <th scope="col" className={styles.menu}>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {services.map((service) => (
              <tr key={service.id} className={table.row}>
                <td>
                  <button
                    type="button"
                    className={styles.name}
                    onClick={() => onAsk({ what: 'save', service })}
                    data-hint={service.notes}
                  >
                    {service.name}
                  </button>
                  <span className={table.second}>
                    {hostOf(service)} · {service.has_token ? 'token stored' : 'no token'}
                  </span>
                </td>
                <td>
                  <State service={service} />
                </td>
                <td className="soft">{service.entity_types.map((type) => entityLabels[type]).join(', ')}</td>
                <td className="num">{service.per_minute ?? (perMinute === 0 ? 'any' : perMinute)}</td>
                <td className="num">{count(service.results)}</td>
                <td aria-label={`Of ${service.name}`}>
                  <Menu position="bottom-end">
                    <Menu.Target>
                      <Button variant="subtle" size="compact-sm" aria-label={`Actions for ${service.name}`}>
                        <IconDots size={16} stroke={1.75} aria-hidden="true" />
                      </Button>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item onClick={() => onAsk({ what: 'save', service })}>Change</Menu.Item>
                      <Menu.Item onClick={() => change.mutate({ id: service.id, what: 'toggle' })}>
                        {service.enabled ? 'Switch off' : 'Switch on'}
                      </Menu.Item>
                      {service.has_token && (
                        <Menu.Item onClick={() => change.mutate({ id: service.id, what: 'clear' })}>
                          Forget the token
                        </Menu.Item>
                      )}
                      <Menu.Item onClick={() => onAsk({ what: 'delete', service })}>Delete</Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function State({ service: { enabled, circuit } }: { service: EnrichmentService }) {
  if (!enabled) return <span className="faint">Off</span>;
  if (circuit.state === 'closed') {
    return circuit.failures === 0 ? (
      <span>On</span>
    ) : (
      <span className={styles.warn} data-hint={circuit.last_error}>
        On, failed {circuit.failures} times
      </span>
    );
  }
  return (
    <span className={styles.bad}>
      {circuit.state === 'open' ? 'Left alone' : 'To be tried'}
      <span className={table.second}>
        {circuit.last_error}, {counted(circuit.failures, 'time')}
        {circuit.state === 'open' && circuit.retry_at !== null && (
          <>
            {' '}
            until <Time iso={circuit.retry_at} />
          </>
        )}
      </span>
    </span>
  );
}

function hostOf({ api_template: api, link_template: link }: EnrichmentService): string {
  const template = api ?? link;
  const address = template?.replace(/\{(value|token)\}/g, 'x') ?? '';
  return URL.canParse(address) ? `${new URL(address).host}${api === null ? ', links alone' : ''}` : 'asked nowhere';
}

function DeleteService({ service, onClose }: { service: EnrichmentService; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => callConfirmed(operations.deleteEnrichmentService, { id: service.id }),
    onSuccess: async () => {
      await enrichmentChanged();
      onClose();
    },
  });
  return (
    <Dialog title={`Delete “${service.name}”?`} onClose={onClose}>
      <Form
        error={remove.error}
        onSubmit={() => remove.mutate()}
        actions={<DialogButtons words="Delete" pending={remove.isPending} dangerous onClose={onClose} />}
      >
        <p className="soft">
          Its token and {counted(service.results, 'answer')} of it go, too. Nobody can be asked for them back.
        </p>
      </Form>
    </Dialog>
  );
}
