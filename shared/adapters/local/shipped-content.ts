import type { ShippedRules } from '@svc/application/alerts/shipped-rules.ts';
import type { Sample, ShippedContent } from '@svc/application/ports/shipped-content.ts';
import type { WorkflowSeed } from '@svc/application/submissions/workflow-repository.ts';
import { readWorkflows } from '@svc/application/admin/workflows/read-workflow.ts';
import { SampleList } from '@svc/config';
import { notFound } from '@svc/domain';
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

/** A file is a document as it is imported, and says nothing that is not read. */
function parseWorkflow(text: string): WorkflowSeed {
  const [read, second] = readWorkflows(text);
  const [first] = read?.problems ?? [];
  if (first) throw new Error(`${first.key} ${first.message} (line ${first.line})`);
  if (!read?.workflow || second) throw new Error('must have one workflow');
  const { enabled: _all, ...seed } = read.workflow;
  return seed;
}
