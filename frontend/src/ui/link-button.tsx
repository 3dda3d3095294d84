import type { ReactNode } from 'react';
import { cx } from './class-names.ts';
import styles from './link-button.module.css';

interface LinkButtonProps {
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly className?: string | undefined;
  /** Whether what it shows and hides is shown. */
  readonly 'aria-expanded'?: boolean;
  readonly children: ReactNode;
}

/** A small thing to do beside a text: show more, reset. */
export function LinkButton({ className, ...rest }: LinkButtonProps) {
  return <button type="button" className={cx(styles.link, className)} {...rest} />;
}
