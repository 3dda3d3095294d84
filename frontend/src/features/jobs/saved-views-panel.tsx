import { Link } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { SavedSearchesPanel } from '../../ui/saved-searches/saved-searches-panel.tsx';
import type { JobsView } from './jobs-view.ts';
import { savedViewLimits } from './saved-views.ts';
import { useSavedViews } from './use-saved-views.ts';

/** The saved views, each to open or to delete, and the name to save the present one under. */
export function SavedViewsPanel({ view, onClose }: { view: JobsView; onClose: () => void }) {
  const { views, isOfAccount, deeds } = useSavedViews(view);
  return (
    <SavedSearchesPanel
      thing="view"
      searches={views.map((saved) => ({ ...saved, detail: summary(saved.view) }))}
      deeds={deeds}
      where={isOfAccount ? 'Kept with your account.' : 'Kept in this browser.'}
      longest={savedViewLimits.length}
      renderLink={(saved, parts) => <Link to={paths.jobs} search={saved.view} onClick={onClose} {...parts} />}
    />
  );
}

/** What a view asks for, in a line. */
function summary({ q, tags = [] }: JobsView): string {
  return [q, ...tags.map((tag) => `#${tag}`)].filter(Boolean).join(' ') || 'All jobs';
}
