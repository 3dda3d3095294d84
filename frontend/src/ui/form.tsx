import type { ErrorCode } from '@svc/domain';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { cx } from './class-names.ts';
import { isRefusal } from './form-fields.ts';
import styles from './form.module.css';
import { Notice, reasonOf, Reference } from './states.tsx';

/**
 * A form whose failures are told in place: at the field for the codes in `atFields` (the fields
 * show them by `refusalAt`), else above the buttons. The first field that was refused takes the focus.
 */
export function Form(props: {
  error: Error | null;
  atFields?: readonly ErrorCode[];
  className?: string | undefined;
  actions: ReactNode;
  onSubmit: (form: FormData) => void;
  children: ReactNode;
}) {
  const { error, atFields = [], className, actions, onSubmit, children } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error)
      form.current?.querySelector<HTMLElement>('input:is([aria-invalid="true"], [data-invalid="true"])')?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      className={cx(styles.form, className)}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
      {error && !isRefusal(error, atFields) && <Failure error={error} />}
      <div className={styles.actions}>{actions}</div>
    </form>
  );
}

/** What went wrong with what the person just did. */
export function Failure({ error }: { error: Error }) {
  return (
    <Notice tone="bad" icon={<IconAlertTriangle size={18} stroke={1.75} aria-hidden />}>
      {reasonOf(error)}
      <Reference error={error} />
    </Notice>
  );
}
