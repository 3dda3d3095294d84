import { ExportIndicators } from '../../features/feeds/export-indicators.tsx';
import { EntitiesPage as Page } from '../../features/intel/entities-page.tsx';
import { TagPicker } from '../../features/tags/tag-picker.tsx';

/** The list of entities, which can be given tags and exported. */
export function EntitiesPage() {
  return <Page TagPicker={TagPicker} Export={ExportIndicators} />;
}
