import type { OptionParts } from '../../features/submissions/option-parts.ts';
import { SubmitPage as Page } from '../../features/submissions/submit-page.tsx';
import { lazy } from '../../ui/lazy.ts';

// Fields with suggestions are large, and the files can be submitted without them.
const load = () => import('./submission-options.tsx');
const parts: OptionParts = {
  CommonOptions: lazy(async () => ({ default: (await load()).CommonOptions })),
  OwnOptions: lazy(async () => ({ default: (await load()).OwnOptions })),
};

/** The start page, where files can be given tags and a case. */
export function SubmitPage() {
  return <Page parts={parts} />;
}
