import type { SettingsForm } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { siteSettingsQuery } from '../../api/admin.ts';
import { cx } from '../../ui/class-names.ts';
import { GuideLink } from '../../ui/guide-link.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { CountRow, KindsRow, SwitchRow, TextRow } from './setting-row.tsx';
import styles from './settings-page.module.css';
import { settingGroups, type SettingText } from './site-setting-texts.ts';

/** Settings of the whole site, for administrators: each is saved by itself as soon as it is changed. */
export function SettingsPage() {
  const { data, error, refetch } = useQuery(siteSettingsQuery);
  return (
    <div className={styles.page}>
      <title>Settings · svc</title>
      <div>
        <PageHead title="Settings" />
        <p className="soft">
          They hold for the whole site, from the next request on. Each is saved as you change it.{' '}
          <GuideLink chapter="settings">Settings in the guide</GuideLink>
        </p>
      </div>
      {data === undefined && error ? (
        <ErrorState what="The settings cannot be read" error={error} retry={() => void refetch()} />
      ) : (
        settingGroups.map(([title, about, settings]) => (
          <section key={title} className={cx('card', styles.group)} aria-label={title}>
            <header className={styles.about}>
              <h2>{title}</h2>
              <p>{about}</p>
            </header>
            <ul className={styles.rows} aria-busy={data === undefined}>
              {settings.map((text) => (
                <li key={text.name} className={styles.row}>
                  {data ? <Row text={text} settings={data} /> : <Skeleton height={40} />}
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
    </div>
  );
}

function Row({ text, settings }: { text: SettingText; settings: SettingsForm }) {
  const value = settings[text.name];
  if (typeof value === 'boolean') {
    return (
      <SwitchRow
        text={text}
        value={value}
        warnings={text.name === 'parallel_execution' ? settings.parallel_risk : []}
      />
    );
  }
  if (typeof value === 'string') return <TextRow text={text} value={value} />;
  if (typeof value !== 'number') {
    return <KindsRow text={text} value={value ?? []} kinds={settings.categories} />;
  }
  return <CountRow text={text} value={value} most={text.most ?? Number.MAX_SAFE_INTEGER} />;
}
