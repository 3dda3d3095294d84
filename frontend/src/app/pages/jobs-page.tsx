import { JobsPage as Page } from '../../features/jobs/jobs-page.tsx';
import { TagPicker } from '../../features/tags/tag-picker.tsx';

/** The list of jobs, which can be given tags. */
export function JobsPage() {
  return <Page TagPicker={TagPicker} />;
}
