import type { ShippedRules } from '@svc/application/alerts/shipped-rules.ts';
import type { Sample, ShippedContent } from '@svc/application/ports/shipped-content.ts';
import type { WorkflowSeed } from '@svc/application/submissions/workflow-repository.ts';
import { SampleList, WorkflowDefinition, WorkflowFile } from '@svc/config';
import { logTypes, notFound, type LogType } from '@svc/domain';
import { dump, load } from 'js-yaml';
import { createReadStream, existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readAlertRules } from './shipped-alert-rules.ts';

/** Workflows, rules and samples as files of the configuration folder. */
export class ShippedFiles implements ShippedContent {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async workflows(): Promise<{ workflows: WorkflowSeed[]; problems: string[] }> {
    const folder = join(this.#folder, 'workflows');
    const workflows: WorkflowSeed[] = [];
    const problems: string[] = [];
    for (const name of (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort()) {
      try {
        workflows.push(parseWorkflow(await readFile(join(folder, name), 'utf8')));
      } catch (error) {
        problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return { workflows, problems };
  }

  alertRules(): Promise<ShippedRules> {
    return readAlertRules(join(this.#folder, 'alert-rules'));
  }

  corePack(): string | null {
    const folder = join(this.#folder, 'sigma');
    return existsSync(folder) ? folder : null;
  }

  async samples(): Promise<Sample[]> {
    const list = join(this.#folder, 'samples', 'samples.json');
    if (!existsSync(list)) return [];
    const samples = SampleList.parse(JSON.parse(await readFile(list, 'utf8')));
    return Promise.all(
      samples.map(async ({ name, title, description, file }) => {
        const { size } = await stat(join(this.#folder, 'samples', file));
        return { name, title, description, fileName: file, sizeBytes: size };
      }),
    );
  }

  async *readSample(name: string): AsyncGenerator<Uint8Array> {
    const sample = (await this.samples()).find((one) => one.name === name);
    if (!sample) throw notFound('sample');
    yield* createReadStream(join(this.#folder, 'samples', sample.fileName));
  }
}

function parseWorkflow(text: string): WorkflowSeed {
  const { name, description, log_types, is_default, tasks } = WorkflowFile.parse(load(text));
  WorkflowDefinition.parse({ tasks });
  return {
    name,
    description,
    logTypes: log_types.map(knownType),
    isDefault: is_default,
    definition: dump({ tasks }),
  };
}

function knownType(name: string): LogType {
  const type = logTypes.find((known) => known === name);
  if (!type) throw new Error(`log_types: there is no ${name}`);
  return type;
}
