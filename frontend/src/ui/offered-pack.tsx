import { Button } from '@mantine/core';
import type { operations, OutputOf, RulePack } from '@svc/contracts';
import { IconPackageImport } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { Failure } from './form.tsx';
import { counted } from './format.ts';
import { LinkButton } from './link-button.tsx';
import styles from './offered-pack.module.css';
import { Notice } from './states.tsx';

interface OfferedPackProps {
  /** Null and undefined for nothing to offer. */
  readonly offer: OutputOf<typeof operations.getOfferedPack>['offer'] | undefined;
  readonly take: (url: string, name: string) => Promise<RulePack>;
  readonly putAway: () => void;
}

/** Offers SigmaHQ's rules to administrators of a service that has none of them. */
export function OfferedPack(props: OfferedPackProps) {
  return (
    <div className={styles.offer}>
      <Offer {...props} />
    </div>
  );
}

function Offer({ offer, take: taken, putAway }: OfferedPackProps) {
  const take = useMutation({ mutationFn: ({ url, name }: { url: string; name: string }) => taken(url, name) });
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
  if (!offer) return null;
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
        <LinkButton onClick={putAway}>Do not offer it here again</LinkButton>
      </span>
      {take.error && <Failure error={take.error} />}
    </Notice>
  );
}
