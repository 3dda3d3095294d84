import '@mantine/core/styles/ActionIcon.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { call, operations } from '@svc/contracts';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.ts';
import { meQuery } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Brand } from '../../ui/brand.tsx';
import { cx } from '../../ui/class-names.ts';
import { fieldText } from '../../ui/form-fields.ts';
import { Notice, reasonOf, Reference } from '../../ui/states.tsx';
import styles from './login-page.module.css';

const route = getRouteApi(paths.login);

/** The service accepted the password, but the browser did not keep the session. */
class CookieRefused extends Error {
  override readonly name = 'CookieRefused';
}

/** Signing in by e-mail and password. */
export function LoginPage() {
  const { next = paths.submit, changed = false } = route.useSearch();
  const router = useRouter();
  const login = useMutation({
    mutationFn: async (form: FormData) => {
      await call(operations.login, {
        username: fieldText(form, 'username').trim(),
        password: fieldText(form, 'password'),
      });
      if ((await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })) === null) throw new CookieRefused();
    },
    onSuccess: () => {
      // What was read as a visitor may look different to the account.
      void queryClient.invalidateQueries();
      router.history.push(next);
    },
  });
  return (
    <div className={styles.page}>
      <title>Sign in · svc</title>
      <form
        className={cx('card', styles.form)}
        onSubmit={(event) => {
          event.preventDefault();
          login.mutate(new FormData(event.currentTarget));
        }}
      >
        <Brand />
        <h1 className={styles.title}>Sign in</h1>
        {changed && !login.isError && (
          <Notice tone="good" icon={<IconCircleCheck size={18} stroke={1.75} aria-hidden />}>
            Your password was changed, which ended all of your sessions. Sign in with the new one.
          </Notice>
        )}
        {login.isError && <Failure error={login.error} />}
        <TextInput
          label="E-mail"
          name="username"
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page has this one purpose
          autoFocus
        />
        <PasswordInput label="Password" name="password" autoComplete="current-password" required withAsterisk={false} />
        <Button type="submit" size="sm" fullWidth loading={login.isPending}>
          Sign in
        </Button>
        <p className={styles.note}>
          Accounts are made by the administrator of this service. Logs can be submitted without one; an account keeps
          them private and can stop its own jobs.
        </p>
      </form>
    </div>
  );
}

function Failure({ error }: { error: Error }) {
  return (
    <Notice tone="bad" icon={<IconAlertTriangle size={18} stroke={1.75} aria-hidden />}>
      {error instanceof CookieRefused ? <CookieAdvice /> : reasonOf(error)}
      <Reference error={error} />
    </Notice>
  );
}

/** A `Secure` cookie over plain HTTP is dropped without a word, and it looks as if the form did nothing. */
function CookieAdvice() {
  return window.location.protocol === 'http:' ? (
    <>
      <strong>The password is right, but the browser refused the session cookie.</strong> This page was opened over
      plain HTTP, and the cookie is for HTTPS only. Open it over HTTPS, or on the machine itself as{' '}
      <code>localhost</code>. For a test on a trusted network, the operator can set <code>COOKIE_INSECURE=true</code>{' '}
      and start the service anew.
    </>
  ) : (
    <>
      <strong>The password is right, but the browser did not keep the session cookie.</strong> Allow cookies for this
      site, then sign in again.
    </>
  );
}
