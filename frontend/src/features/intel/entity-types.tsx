import type { EntityType, TagColor } from '@svc/domain';
import {
  IconClockPlay,
  IconDeviceDesktop,
  IconFileCode,
  IconFingerprint,
  IconNetwork,
  IconSettingsCog,
  IconTerminal2,
  IconUser,
  IconWorld,
  type Icon,
} from '@tabler/icons-react';
import styles from './entity-types.module.css';

/** How types of entities are called and shown (resolved-intel 1.2). */
export const entityTypeLooks: Readonly<Record<EntityType, { one: string; many: string; color: TagColor; icon: Icon }>> =
  {
    user: { one: 'User', many: 'Users', color: 'blue', icon: IconUser },
    computer: { one: 'Computer', many: 'Computers', color: 'purple', icon: IconDeviceDesktop },
    ip_address: { one: 'IP', many: 'IPs', color: 'green', icon: IconNetwork },
    hash: { one: 'Hash', many: 'Hashes', color: 'yellow', icon: IconFingerprint },
    executable: { one: 'Executable', many: 'Executables', color: 'orange', icon: IconTerminal2 },
    domain: { one: 'Domain', many: 'Domains', color: 'cyan', icon: IconWorld },
    cmdline_file: { one: 'Command-line file', many: 'Cmdline files', color: 'rose', icon: IconFileCode },
    service: { one: 'Service', many: 'Services', color: 'teal', icon: IconSettingsCog },
    task: { one: 'Task', many: 'Tasks', color: 'indigo', icon: IconClockPlay },
  };

/** What an entity is: a sign in the type's colour, and its name. */
export function EntityTypeMark({ type, isShort = false }: { type: EntityType; isShort?: boolean }) {
  const { one, color, icon: Sign } = entityTypeLooks[type];
  return (
    <span className={styles.type} data-hint={isShort ? one : undefined}>
      <Sign size={14} stroke={1.75} aria-hidden="true" style={{ color: `var(--tag-${color})` }} />
      {isShort ? <span className="sr-only">{one}</span> : one}
    </span>
  );
}
