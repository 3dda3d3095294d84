import { openEngines } from '@svc/adapters/engines/open-engines.ts';
import { SigmaNativeEngine } from '@svc/adapters/local/sigma-native.ts';
import { projectRoot } from '@svc/adapters/machine/project-root.ts';
import { ScratchFolder } from '@svc/adapters/machine/scratch-folder.ts';
import { openTestPorts } from '@svc/adapters/testing/test-ports.ts';
import type { Ports } from '@svc/application/ports/ports.ts';
import { readEnvironment } from '@svc/config';
import { join } from 'node:path';

/** The use cases with the engines of this machine in the place of the tests' own. */
export interface EnginePorts {
  readonly ports: Ports;
  close(): Promise<void>;
}

/** @param root what engines work in; whoever made it removes it. */
export async function openEnginePorts(root: string): Promise<EnginePorts> {
  const test = await openTestPorts();
  await test.reset();
  const deriveFrom = {
    analyticsFields: join(projectRoot(), 'config/analytics_fields.yaml'),
    threatDetection: join(projectRoot(), 'config/threat_detection.yaml'),
  };
  const native = new SigmaNativeEngine({ deriveFrom, memoryMb: 512, threads: 1 });
  const scratch = new ScratchFolder(join(root, 'engine-runs'));
  const { runner, catalog } = openEngines(readEnvironment({}), process.env, { dataDir: root, base: root, scratch });
  const { engineSettings: settings, ruleCompiler: compiler } = test.ports;
  return {
    ports: { ...test.ports, engineRunner: runner, engines: catalog(native, { runner, settings, compiler }) },
    close: async () => {
      await native.close();
      await test.close();
    },
  };
}
