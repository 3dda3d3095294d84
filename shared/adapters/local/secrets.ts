import type { Log } from '@svc/application/ports/log.ts';
import type { Environment } from '@svc/config';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JoseSecretBox } from './jose-secret-box.ts';
import { secretKeyIn } from './secret-key.ts';

type Keys = Pick<Environment, 'SECRET_KEY' | 'ENRICHMENT_ENCRYPTION_KEY' | 'ENRICHMENT_ENCRYPTION_KEY_PREVIOUS'>;

const pathIn = (dataDir: string): string => join(dataDir, 'secret.key');

/** The key that is set, or the one that is kept in the folder, made when missing. */
export function secretKeyOf({ SECRET_KEY: given }: Pick<Keys, 'SECRET_KEY'>, dataDir: string): string {
  return given ?? secretKeyIn(pathIn(dataDir));
}

/** Opens what was sealed before a key of its own was given, and before that one was changed. */
export function secretBoxOf(keys: Keys, dataDir: string, log: Log): JoseSecretBox {
  const { ENRICHMENT_ENCRYPTION_KEY: own, ENRICHMENT_ENCRYPTION_KEY_PREVIOUS: previous } = keys;
  // Who only asks which keys there are, makes none.
  const kept = keys.SECRET_KEY ?? (existsSync(pathIn(dataDir)) ? secretKeyOf(keys, dataDir) : undefined);
  const [key = () => secretKeyOf(keys, dataDir), ...older] = own === undefined ? [kept] : [own, kept];
  const opening = [...older, previous].filter((each) => each !== undefined);
  return new JoseSecretBox(key, opening, log);
}
