import type { ApiToken } from '@svc/contracts';
import { IconBan, IconCircleCheck, IconClockX, IconUserOff } from '@tabler/icons-react';
import { cx } from '../../ui/class-names.ts';
import styles from '../../ui/status.module.css';

const looks = {
  active: { icon: IconCircleCheck, tone: styles.good, word: 'Active', hint: 'Accepted' },
  expired: { icon: IconClockX, tone: styles.quiet, word: 'Expired', hint: 'Refused: its time is over' },
  revoked: { icon: IconBan, tone: styles.quiet, word: 'Revoked', hint: 'Refused for good' },
  creator_inactive: {
    icon: IconUserOff,
    tone: styles.warn,
    word: 'Creator inactive',
    hint: 'Refused while its creator is inactive, deleted or below member',
  },
} satisfies Record<ApiToken['state'], object>;

/** Whether a token works, and if not, why: icon and words. */
export function TokenState({ state }: { state: ApiToken['state'] }) {
  const { icon: Icon, tone, word, hint } = looks[state];
  return (
    <span className={cx(styles.status, tone)} data-hint={hint}>
      <Icon size={16} stroke={2} aria-hidden="true" />
      {word}
    </span>
  );
}
