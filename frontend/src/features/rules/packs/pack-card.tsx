import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Switch } from '@mantine/core';
import { call, operations, type ReadinessCheck, type RulePack } from '@svc/contracts';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { importPackUrl, refreshPacks } from '../../../api/rule-packs.ts';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { Failure } from '../../../ui/form.tsx';
import { counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { Day } from '../../../ui/time.tsx';
import { Readiness } from './readiness.tsx';
import styles from './rule-packs.module.css';

interface PackCardProps {
  readonly pack: RulePack;
  /** What was found of this pack. */
  readonly checks: readonly ReadinessCheck[];
  readonly onAsk: (what: 'report' | 'versions' | 'delete') => void;
}

/** One pack: what is in force, how old it is, where it comes from; it is switched on and off in place. */
export function PackCard({ pack, checks, onAsk }: PackCardProps) {
  const { name, enabled, url, in_force: version } = pack;
  const change = useMutation({
    mutationFn: (chosen: boolean) => call(operations.changeRulePack, { name, enabled: chosen }),
    onSuccess: refreshPacks,
  });
  const look = useMutation({ mutationFn: (address: string) => importPackUrl(address, name) });
  const isShipped = version.source === 'shipped';
  return (
    <section className={cx('card', styles.pack)} aria-label={name}>
      <header className={styles.head}>
        <h2 className={styles.name}>{name}</h2>
        <span className={styles.version}>{version.version}</span>
        <Switch
          size="xs"
          label="In use"
          aria-label={`${name} is in use`}
          checked={change.isPending ? change.variables : enabled}
          onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
          className={styles.switch ?? ''}
        />
      </header>
      <Readiness checks={checks} />
      <dl className={styles.facts}>
        <Fact label="Rules">{counted(version.loaded, 'rule')}</Fact>
        <Fact label="Rejected">
          {version.rejected === 0 ? (
            'none'
          ) : (
            <LinkButton onClick={() => onAsk('report')}>{version.rejected}</LinkButton>
          )}
        </Fact>
        <Fact label="Newest rule">{version.dated_at.slice(0, 10)}</Fact>
        <Fact label="Imported">
          <Day iso={version.imported_at} />
        </Fact>
        <Fact label="Licence">{version.licence ?? 'not stated'}</Fact>
        <Fact label="Source">{isShipped ? 'comes with the service' : version.source}</Fact>
      </dl>
      {(change.error ?? look.error) && <Failure error={(change.error ?? look.error)!} />}
      <footer className={styles.actions}>
        <Link to={paths.packRules} params={{ pack: name }} className={styles.browse}>
          Browse the rules
        </Link>
        <LinkButton onClick={() => onAsk('report')}>What became of its rules</LinkButton>
        <LinkButton onClick={() => onAsk('versions')}>Versions</LinkButton>
        {url !== null && (
          <LinkButton disabled={look.isPending} onClick={() => look.mutate(url)}>
            {look.isPending ? 'Looking …' : 'Look for a newer version'}
          </LinkButton>
        )}
        {!isShipped && <LinkButton onClick={() => onAsk('delete')}>Remove</LinkButton>}
      </footer>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd className="cut">{children}</dd>
    </div>
  );
}
