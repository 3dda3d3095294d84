import type { LogSettingGain } from '@svc/contracts';
import { techniqueTitle } from '@svc/domain';
import { cx } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { counted } from '../../../ui/format.ts';
import styles from './given-logs.module.css';

/** What starts with the name of a program, or is a line of a configuration. */
const command =
  /^(-[aw-]|aws |auditpol |augenrules |az |certutil |gcloud |journalctl |net |reg |sc\.exe |Set-|sysmon|systemctl |wevtutil |archive$|log(ging)? |notify )/;

/** What is missing among the logs, what it would gain, and how it is switched on; the most first. */
export function WhatToLog({ settings }: { settings: readonly LogSettingGain[] }) {
  const missing = settings.filter(({ received, rules }) => !received && rules > 0);
  const received = settings.filter((setting) => setting.received);
  return (
    <section className={cx('card', styles.card)} aria-labelledby="what-to-log">
      <h2 id="what-to-log" className={styles.title}>
        What should I log?
      </h2>
      <p className={styles.about}>
        {missing.length === 0
          ? 'Every log for which there is a rule was received.'
          : 'Techniques that no rule sees today, and would with one more log or audit setting. Each counts alone: two may gain the same.'}
      </p>
      <ul className={styles.settings}>
        {missing.map(({ key, title, platform, techniques, rules, how }) => (
          <li key={key}>
            <details>
              <summary className={styles.setting}>
                <span>{title}</span>
                <span className={styles.platform}>{platform}</span>
                <span className={styles.gain}>
                  {techniques.length > 0 ? `${counted(techniques.length, 'technique')}, ` : ''}
                  {counted(rules, 'rule')}
                </span>
              </summary>
              <ol className={styles.how}>
                {how.map((step) =>
                  command.test(step) ? (
                    <li key={step}>
                      <code>{step}</code> <CopyButton text={step} what="command" />
                    </li>
                  ) : (
                    <li key={step}>{step}</li>
                  ),
                )}
              </ol>
              {techniques.length > 0 && (
                <p className={styles.about}>{techniques.map((id) => techniqueTitle(id)).join('; ')}</p>
              )}
            </details>
          </li>
        ))}
      </ul>
      {received.length > 0 && (
        <p className={styles.about}>Received: {received.map(({ title }) => title).join('; ')}.</p>
      )}
    </section>
  );
}
