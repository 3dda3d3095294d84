import type { EnvironmentName } from '@svc/config';

/** Environment of a function or container: names of config/env.ts, so that a wrong one does not compile. */
export type ServiceEnvironment = Readonly<Partial<Record<EnvironmentName, string>>>;
