import type { AiRun } from '@svc/contracts';
import { count, counted } from '../../ui/format.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './ai-panel.module.css';

/** What left the house for an answer; for administrators and who asked for it. */
export function SentPrompt({ run }: { run: AiRun }) {
  const { prompt, pseudonyms, omissions, is_own: isOwn, prompt_chars: chars } = run;
  if (!isOwn || chars === 0) return null;
  return (
    <details className={styles.more}>
      <summary>What was sent: {count(chars)} characters</summary>
      {prompt === null ? (
        <p className="soft">
          The text is not shown: the site setting “Show AI prompt” is off. Administrators can switch it on.
        </p>
      ) : (
        <>
          {omissions !== null && omissions.length > 0 && (
            <p className="soft">Left out of the brief: {omissions.join('; ')}.</p>
          )}
          {pseudonyms !== null && pseudonyms.length > 0 ? (
            <details className={styles.more}>
              <summary>{counted(pseudonyms.length, 'name')} of your network left as stand-ins</summary>
              <table className={styles.names}>
                <thead>
                  <tr>
                    <th scope="col">Sent as</th>
                    <th scope="col">Stands for</th>
                  </tr>
                </thead>
                <tbody>
                  {pseudonyms.map(({ token, value }) => (
                    <tr key={token}>
                      <td>
                        <code>{token}</code>
                      </td>
                      <td>
                        <code>{value}</code>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </details>
          ) : (
            <p className="soft">Names left as they are: this provider is asked without stand-ins.</p>
          )}
          <Sent title="Instructions" text={prompt.system} />
          <Sent title="Brief" text={prompt.user} />
        </>
      )}
    </details>
  );
}

function Sent({ title, text }: { title: string; text: string }) {
  return (
    <section className={styles.sent} aria-label={title}>
      <h4>
        {title} <CopyButton text={text} what={title.toLowerCase()} />
      </h4>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keys as well */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}
