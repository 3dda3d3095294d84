import { IconTargetArrow } from '@tabler/icons-react';
import { cx } from '../../../ui/class-names.ts';
import copyStyles from '../../../ui/copy-button.module.css';
import { useDoor } from '../../../ui/door.tsx';
import type { PivotsProps } from '../../../ui/matched-event/matched-event-card.tsx';
import { doorOf } from '../../../ui/door-of.ts';
import { useKnownHint } from './use-known-door.ts';

/** From a value of an event to where else it is. */
export function FieldDoor({ name, text, className }: PivotsProps) {
  const open = useDoor();
  const to = doorOf(name, text);
  const known = useKnownHint(to);
  if (open === null || to === null) return null;
  return (
    <button
      type="button"
      className={cx(copyStyles.copy, className)}
      aria-haspopup="dialog"
      aria-label={`Follow ${name}`}
      data-hint={[`Follow ${name}`, known].filter(Boolean).join('\n')}
      onClick={({ currentTarget }) => open(to, currentTarget)}
    >
      <IconTargetArrow size={14} stroke={2} aria-hidden="true" />
    </button>
  );
}
