import type { EngineSetting } from '@svc/application/admin/engines/engine-settings.ts';
import type { DetectionEngine, EnabledEngines, EngineCatalog } from '@svc/application/ports/detection-engine.ts';
import { externalEngines, type ExternalEngine } from '@svc/domain';
import { ExternalDetectionEngine, type ExternalEngineParts } from './external-engine.ts';

/** Of engines that something was said of. */
export interface SettingsInForce {
  all(): Promise<ReadonlyMap<ExternalEngine, EngineSetting>>;
}

/** The built-in engine, and those of others that the settings enable or that a task itself says where to find. */
export function engineCatalog(
  native: DetectionEngine,
  settings: SettingsInForce,
  parts: ExternalEngineParts,
): EngineCatalog {
  return {
    current: async (): Promise<EnabledEngines> => {
      const all = await settings.all();
      return {
        get: ({ tool, program }) => {
          if (tool === native.name) return native;
          const name = externalEngines.find((one) => one === tool);
          if (name === undefined) return null;
          const setting = all.get(name);
          if (program === null && setting?.enabled !== true) return null;
          return new ExternalDetectionEngine(name, program ?? setting?.program ?? null, parts);
        },
      };
    },
  };
}
