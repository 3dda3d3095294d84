import { Button } from '@mantine/core';
import type { RulePack } from '@svc/contracts';
import { IconPackageImport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { importPackUrl, offeredPackQuery, rulePacksQuery } from '../../../api/rule-packs.ts';
import { paths } from '../../../paths.ts';
import { GuideLink } from '../../../ui/guide-link.tsx';
import { OfferedPack } from '../../../ui/offered-pack.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { useOfferAway } from '../../../ui/use-offer-away.ts';
import { DeletePack, ImportPack } from './pack-dialogs.tsx';
import { PackCard } from './pack-card.tsx';
import { PackReport, PackVersions } from './pack-details.tsx';
import { Readiness } from './readiness.tsx';
import styles from './rule-packs.module.css';

type Asked = { readonly what: 'import' } | { readonly what: 'report' | 'versions' | 'delete'; readonly pack: RulePack };

/** The rules that logs are held against, pack by pack, for administrators. */
export function RulePacksPage() {
  const { data, error, refetch } = useQuery(rulePacksQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const [isAway, putAway] = useOfferAway();
  const offered = useQuery({ ...offeredPackQuery, enabled: !isAway });
  return (
    <>
      <title>Rule packs · svc</title>
      <PageHead title="Rule packs" total={data?.packs.length}>
        <Button variant="default" renderRoot={(props) => <Link to={paths.ruleEditor} {...props} />}>
          Write a rule
        </Button>
        <Button
          leftSection={<IconPackageImport size={16} stroke={1.75} aria-hidden="true" />}
          onClick={() => setAsked({ what: 'import' })}
        >
          Import a pack
        </Button>
      </PageHead>
      <OfferedPack offer={isAway ? null : offered.data?.offer} take={importPackUrl} putAway={() => putAway(true)} />
      {data === undefined && error ? (
        <ErrorState what="The rule packs cannot be listed" error={error} retry={() => void refetch()} />
      ) : (
        <div className={styles.list} aria-busy={data === undefined}>
          {data === undefined && <Skeleton height={120} />}
          <Readiness checks={data?.readiness.filter(({ name }) => name === 'Rule packs') ?? []} />
          {data?.packs.map((pack) => (
            <PackCard
              key={pack.name}
              pack={pack}
              checks={data.readiness.filter(({ name }) => name === `Rule pack ${pack.name}`)}
              onAsk={(what) => setAsked({ what, pack })}
            />
          ))}
        </div>
      )}
      <p className={styles.note}>
        A job settles its rules when it begins: a pack that changes meanwhile changes nothing of it. Import the release
        archives of SigmaHQ as they are; exports name the author of each rule.{' '}
        <GuideLink chapter="rules">Rules in the guide</GuideLink>
      </p>
      {asked?.what === 'import' && <ImportPack onClose={close} />}
      {asked?.what === 'report' && <PackReport pack={asked.pack} onClose={close} />}
      {asked?.what === 'versions' && <PackVersions pack={asked.pack} onClose={close} />}
      {asked?.what === 'delete' && <DeletePack pack={asked.pack} onClose={close} />}
    </>
  );
}
