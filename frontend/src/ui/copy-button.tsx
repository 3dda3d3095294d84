import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { cx } from './class-names.ts';
import styles from './copy-button.module.css';

/** Copies `text`; says so for a moment where it was pressed. `what` names the thing for hints. */
export function CopyButton({ text, what, className }: { text: string; what: string; className?: string | undefined }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1200);
  };
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <button
      type="button"
      className={cx(styles.copy, copied && styles.done, className)}
      onClick={() => void copy()}
      aria-label={copied ? 'Copied' : `Copy ${what}`}
      data-hint={copied ? 'Copied' : `Copy ${what}`}
    >
      <Icon size={14} stroke={2} aria-hidden="true" />
    </button>
  );
}

/** The clipboard API exists only on secure origins; a plain-HTTP deployment copies the old way. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}
