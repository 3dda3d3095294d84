import { call, operations, type RulePack } from '@svc/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { packReportQuery, refreshPacks, rulePackQuery } from '../../../api/rule-packs.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/form.tsx';
import { counted } from '../../../ui/format.ts';
import { LinkButton } from '../../../ui/link-button.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Day } from '../../../ui/time.tsx';
import styles from './rule-packs.module.css';

interface DetailsProps {
  readonly pack: RulePack;
  readonly onClose: () => void;
}

/** Rules of a pack that were left out or remarked upon, each with its place and the reason. */
export function PackReport({ pack: { name }, onClose }: DetailsProps) {
  const { data, error, refetch } = useQuery(packReportQuery(name));
  const groups =
    data &&
    ([
      ['Rejected', data.rejected],
      ['Retired', data.retired],
      ['Warnings', data.warnings],
    ] as const);
  return (
    <Dialog title={`Rules of ${name}`} onClose={onClose}>
      {error ? (
        <ErrorState what="The report cannot be read" error={error} retry={() => void refetch()} />
      ) : groups === undefined ? (
        <Skeleton height={80} />
      ) : groups.every(([, remarks]) => remarks.length === 0) ? (
        <p className="soft">Every rule of version {data?.version} is in use, and nothing was remarked.</p>
      ) : (
        groups
          .filter(([, remarks]) => remarks.length > 0)
          .map(([label, remarks]) => (
            <section key={label}>
              <h3 className={styles.group}>{`${label}: ${counted(remarks.length, 'rule')}`}</h3>
              <ul className={styles.remarks}>
                {remarks.map(({ path, line, message }) => (
                  <li key={`${path}:${line}:${message}`}>
                    <code>{`${path}:${line}`}</code>
                    <span className="soft">{message}</span>
                  </li>
                ))}
              </ul>
            </section>
          ))
      )}
    </Dialog>
  );
}

/** The versions that are kept, to go back to one of them. */
export function PackVersions({ pack: { name }, onClose }: DetailsProps) {
  const { data, error, refetch } = useQuery(rulePackQuery(name));
  const back = useMutation({
    mutationFn: (id: number) => call(operations.changeRulePack, { name, version_id: id }),
    onSuccess: refreshPacks,
  });
  return (
    <Dialog title={`Versions of ${name}`} onClose={onClose}>
      {error ? (
        <ErrorState what="The versions cannot be listed" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : (
        <ul className={styles.versions}>
          {data.versions.map((version) => (
            <li key={version.id}>
              <strong>{version.version}</strong>
              <span className="soft">
                {counted(version.loaded, 'rule')}, imported <Day iso={version.imported_at} />
              </span>
              {version.id === data.in_force.id ? (
                <span className={styles.current}>in force</span>
              ) : (
                <LinkButton disabled={back.isPending} onClick={() => back.mutate(version.id)}>
                  Put in force
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {back.error && <Failure error={back.error} />}
    </Dialog>
  );
}
