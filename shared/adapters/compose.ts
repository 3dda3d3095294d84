import type { Ports } from '@svc/application/ports/ports.ts';

/** Builds the named ports and no others, each once per process, from the environment. */
export declare function compose<P extends keyof Ports>(...names: P[]): Pick<Ports, P>;

/** Stops threads, closes the database and forgets all ports; `compose` builds anew afterwards. */
export declare function closePorts(): Promise<void>;
