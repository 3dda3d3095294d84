import { lazy } from '../../ui/lazy.ts';
import { SavedSearchesMenu } from '../../ui/saved-searches/saved-searches-menu.tsx';
import type { JobsView } from './jobs-view.ts';

const SavedViewsPanel = lazy(async () => ({ default: (await import('./saved-views-panel.tsx')).SavedViewsPanel }));

/** The views that the account or this browser keeps, and a place to save the one at hand. */
export function SavedViewsMenu({ view }: { view: JobsView }) {
  return (
    <SavedSearchesMenu label="Saved views">
      {(close) => <SavedViewsPanel view={view} onClose={close} />}
    </SavedSearchesMenu>
  );
}
