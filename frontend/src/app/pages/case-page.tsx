import { IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { CasePage as Page } from '../../features/cases/case-page.tsx';
import { paths } from '../../paths.ts';
import { lazy } from '../../ui/lazy.ts';

const route = getRouteApi(paths.case);
const DiscussionPanel = lazy(async () => ({
  default: (await import('../../features/discussions/discussion-panel.tsx')).DiscussionPanel,
}));

const CaseGraphTab = lazy(async () => ({
  default: (await import('../../features/intel/graph/case-graph-tab.tsx')).CaseGraphTab,
}));

const readers = {
  icon: IconUsers,
  text: 'Whoever sees the case reads this discussion; its owner may delete comments, too.',
};

/** A case, what it looks like as a graph, and what those who see it say about it. */
export function CasePage() {
  return <Page Discussion={Discussion} Graph={CaseGraphTab} />;
}

function Discussion({ id }: { id: number }) {
  const linked = route.useSearch({ select: ({ comment }) => comment });
  return <DiscussionPanel on={{ target: 'case', id }} readers={readers} linked={linked} />;
}
