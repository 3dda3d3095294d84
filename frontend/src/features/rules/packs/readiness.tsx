import type { ReadinessCheck } from '@svc/contracts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Notice } from '../../../ui/states.tsx';

/** What checks of the service ask of an administrator, and nothing where all is well. */
export function Readiness({ checks }: { checks: readonly ReadinessCheck[] }) {
  return checks
    .filter(({ level }) => level === 'FAIL' || level === 'WARN')
    .map(({ level, message, fix }) => (
      <Notice
        key={message}
        tone={level === 'FAIL' ? 'bad' : 'warn'}
        icon={<IconAlertTriangle size={16} stroke={1.75} aria-hidden="true" />}
      >
        {message}.{fix !== null && ` ${fix}.`}
      </Notice>
    ));
}
