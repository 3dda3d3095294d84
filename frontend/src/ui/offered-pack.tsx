import { Button } from '@mantine/core';
import { IconPackageImport } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { importPackUrl, offeredPackQuery } from '../api/rule-packs.ts';
import { paths } from '../paths.ts';
import { Failure } from './form.tsx';
import { counted } from './format.ts';
import { LinkButton } from './link-button.tsx';
import styles from './offered-pack.module.css';
import { Notice } from './states.tsx';
import { useKept } from './use-kept.ts';

/** Offers SigmaHQ's rules to administrators of a service that has none of them; put away for this browser on request. */
export function OfferedPack() {
  return (
    <div className={styles.offer}>
      <Offer />
    </div>
  );
}

function Offer() {
  const [isAway, putAway] = useKept('svc-offered-pack-away', false);
  const { data } = useQuery({ ...offeredPackQuery, enabled: !isAway });
  const take = useMutation({ mutationFn: ({ url, name }: { url: string; name: string }) => importPackUrl(url, name) });
  if (take.data !== undefined) {
    const { in_force: now, name } = take.data;
    return (
      <Notice tone="good">
        {counted(now.loaded, 'rule')} of {name} {now.version} are in force, {now.rejected} were rejected, {now.retired}{' '}
        are retired. <Link to={paths.rulePacks}>Rule packs</Link> has the report with the reasons; the next release is
        looked for by itself.
      </Notice>
    );
  }
  const offer = data?.offer;
  if (isAway || !offer) return null;
  return (
    <Notice tone="info" icon={<IconPackageImport size={16} stroke={1.75} aria-hidden="true" />}>
      {offer.release === null ? (
        <>
          The core pack is in force. SigmaHQ has thousands of rules more, which could not be looked for ({offer.reason}
          ). Bring <code>sigma_all_rules.zip</code> of its newest release ({offer.licence}) from a machine with
          internet, and import the file under <Link to={paths.rulePacks}>Rule packs</Link>.
        </>
      ) : (
        <>
          The core pack is in force. SigmaHQ’s release <strong>{offer.release}</strong> has thousands of rules more,
          under the {offer.licence}. Importing takes up to a minute, while you can go on; newer releases then come by
          themselves.
        </>
      )}
      <span className={styles.choices}>
        {offer.release !== null && (
          <Button size="xs" loading={take.isPending} onClick={() => take.mutate(offer)}>
            Import SigmaHQ {offer.release}
          </Button>
        )}
        <LinkButton onClick={() => putAway(true)}>Do not offer it here again</LinkButton>
      </span>
      {take.error && <Failure error={take.error} />}
    </Notice>
  );
}
