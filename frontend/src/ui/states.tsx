import { Button } from '@mantine/core';
import { RequestError } from '@svc/contracts';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { cx } from './class-names.ts';
import { SignInLink } from './sign-in-link.tsx';
import styles from './states.module.css';

/** What a place shows when there is nothing in it, and what to do about that. */
export function EmptyState(props: {
  icon: ComponentType<{ size?: number; stroke?: number }>;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** It is all there is on the page. */
  whole?: boolean;
}) {
  const { icon: Icon, title, children, action, whole = false } = props;
  const Title = whole ? 'h1' : 'h2';
  return (
    <div className={styles.state}>
      <span className={styles.icon} aria-hidden="true">
        <Icon size={24} stroke={1.5} />
      </span>
      <Title className={styles.title}>{title}</Title>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}

/** What failed, in the service's words, with its reference and a way to try again. */
export function ErrorState(props: {
  what: string;
  error: unknown;
  retry?: () => void;
  /** It is all there is on the page. */
  whole?: boolean;
}) {
  const { what, error, retry, whole = false } = props;
  const Title = whole ? 'h1' : 'h2';
  return (
    <div className={styles.state} role="alert">
      <span className={cx(styles.icon, styles.bad)} aria-hidden="true">
        <IconAlertTriangle size={24} stroke={1.5} />
      </span>
      <Title className={styles.title}>{what}</Title>
      <div className={styles.text}>
        <p>{reasonOf(error)}</p>
        <Reference error={error} />
        {error instanceof RequestError && error.code === 'unauthenticated' && (
          <p>
            <SignInLink /> and come back to this page.
          </p>
        )}
      </div>
      {retry && (
        <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={retry} className={styles.action}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** The sentence that a failure is told with. */
export function reasonOf(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  if (error instanceof TypeError && /fetch|network|load/i.test(error.message)) {
    return 'The service cannot be reached. Check the connection, then try again.';
  }
  return error instanceof Error ? error.message : 'Something unexpected happened.';
}

/** Reference id of a failed request: the one its log lines carry. */
export function Reference({ error }: { error: unknown }) {
  if (!(error instanceof RequestError) || error.requestId === null) return null;
  return (
    <p className="faint">
      Reference <code>{error.requestId}</code>
    </p>
  );
}

/** A message in the flow of the page. */
export function Notice(props: { tone: 'info' | 'good' | 'warn' | 'bad'; icon?: ReactNode; children: ReactNode }) {
  const { tone, icon, children } = props;
  return (
    <div className={cx(styles.notice, styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      {icon}
      <div className={styles.noticeBody}>{children}</div>
    </div>
  );
}

/** A grey block where something will be. */
export function Skeleton({ width = '100%', height = 12 }: { width?: number | string; height?: number }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}
