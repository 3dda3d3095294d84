import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Kinds of tests, by how long their files take. */
const kinds = ['browser', 'integration', 'infrastructure', 'unit'];

/** Takes two minutes and is small: by its size, all that a fresh checkout knows of it, it would end a run alone. */
const long = 'shared/adapters/postgres/repositories.test.ts';

/**
 * Begins with the files that take longest, so that none of them goes on alone when all others are done, and ends with
 * those that share processes. Within a kind: by what is known of earlier runs, else by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) =>
      kinds.indexOf(project.name) - (moduleId.endsWith(long) ? 0.5 : 0);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
