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
import { typeNames } from '../../ui/entity-type-names.ts';
import styles from './entity-types.module.css';

/** How types of entities are called together, and shown (resolved-intel 1.2). */
export const entityTypeLooks: Readonly<Record<EntityType, { many: string; color: TagColor; icon: Icon }>> = {
  user: { many: 'Users', color: 'blue', icon: IconUser },
  computer: { many: 'Computers', color: 'purple', icon: IconDeviceDesktop },
  ip_address: { many: 'IPs', color: 'green', icon: IconNetwork },
  hash: { many: 'Hashes', color: 'yellow', icon: IconFingerprint },
  executable: { many: 'Executables', color: 'orange', icon: IconTerminal2 },
  domain: { many: 'Domains', color: 'cyan', icon: IconWorld },
  cmdline_file: { many: 'Cmdline files', color: 'rose', icon: IconFileCode },
  service: { many: 'Services', color: 'teal', icon: IconSettingsCog },
  task: { many: 'Tasks', color: 'indigo', icon: IconClockPlay },
};

/** What an entity is: a sign in the type's colour, and its name. */
export function EntityTypeMark({ type, isShort = false }: { type: EntityType; isShort?: boolean }) {
  const { color, icon: Sign } = entityTypeLooks[type];
  const one = typeNames[type];
  return (
    <span className={styles.type} data-hint={isShort ? one : undefined}>
      <Sign size={14} stroke={1.75} aria-hidden="true" style={{ color: `var(--tag-${color})` }} />
      {isShort ? <span className="sr-only">{one}</span> : one}
    </span>
  );
}
