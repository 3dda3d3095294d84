import type { Me } from '@svc/contracts';
import type { ReactNode } from 'react';
import { cx } from '../../../ui/class-names.ts';
import { EmailForm, NameForm, PasswordForm, SubmittingForm } from './account-forms.tsx';
import { Sessions } from './sessions.tsx';
import styles from './account-page.module.css';

/** One's own account: name, address, password and sessions. */
export function AccountPage({ me }: { me: Me }) {
  return (
    <div className={styles.page}>
      <title>Account · svc</title>
      <div>
        <h1 className={styles.title}>Account</h1>
        <p className="soft">
          Your role is {me.role}. You can submit logs, keep their reports private, stop your own jobs and repeat them
          {me.role === 'admin' && '; you can also read every report, and manage users and API tokens'}.
        </p>
      </div>
      <Section title="Name" about="Shown beside your jobs. Without one, your address is shown.">
        <NameForm me={me} />
      </Section>
      <Section
        title="Submitting"
        about="Files that are sent at once go with the options chosen last in that window, at first as public ones of the type that they are found to be. Files that cannot be read stay for you to look at."
      >
        <SubmittingForm me={me} />
      </Section>
      <Section title="E-mail" about="The address that you sign in with. Changing it needs your password.">
        <EmailForm me={me} />
      </Section>
      <Section
        title="Password"
        about="At least 8 characters, and not your address. A new one ends all of your sessions: you sign in again afterwards."
      >
        <PasswordForm me={me} />
      </Section>
      <Section
        title="Sessions"
        about="Where you are signed in. A session ends a day after signing in, and with a new password or role."
      >
        <Sessions />
      </Section>
    </div>
  );
}

function Section({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <section className={cx('card', styles.section)} aria-label={title}>
      <div className={styles.about}>
        <h2>{title}</h2>
        <p>{about}</p>
      </div>
      {children}
    </section>
  );
}
