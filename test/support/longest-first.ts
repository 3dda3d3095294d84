import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Kinds of tests, by how long their files take. */
const kinds = ['browser', 'integration', 'infrastructure', 'unit'];

/**
 * Begins with the files that take longest, so that none of them goes on alone when all others are done, and ends with
 * those that share processes. Within a kind: by what is known of earlier runs, else by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => kinds.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
