import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Kinds of tests, by how long their files take. */
const kinds = ['browser', 'integration', 'infrastructure', 'unit'];

/** Files of the last kind that take a minute and more: by their size, all that a checkout knows, they would end a run alone. */
const long: readonly string[] = ['shared/adapters/postgres/repositories.test.ts', 'shared/application/rules/triage.test.ts'];

/**
 * Begins with the files that take longest, so that none of them goes on alone when all others are done, and ends with
 * those that share processes. Within a kind: by what is known of earlier runs, else those known as long, then by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) =>
      kinds.indexOf(project.name) - (long.some((path) => moduleId.endsWith(path)) ? 0.5 : 0);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
