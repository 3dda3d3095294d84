import { IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { CasePage as Page } from '../../features/cases/case-page.tsx';
import { caseView } from '../../features/cases/case-view.ts';
import { paths } from '../../paths.ts';
import { lazy } from '../../ui/lazy.ts';

const route = getRouteApi(paths.case);
const DiscussionPanel = lazy(async () => ({
  default: (await import('../../features/discussions/discussion-panel.tsx')).DiscussionPanel,
}));

const CaseGraphTab = lazy(async () => ({
  default: (await import('../../features/intel/graph/case-graph-tab.tsx')).CaseGraphTab,
}));

const AiPanel = lazy(async () => ({ default: (await import('../../features/ai/ai-panel.tsx')).AiPanel }));

const readers = {
  icon: IconUsers,
  text: 'Whoever sees the case reads this discussion; its owner may delete comments, too.',
};

/** A case, what it looks like as a graph, and what those who see it say about it. */
export function CasePage() {
  return <Page Discussion={Discussion} Graph={CaseGraphTab} Ai={Ai} />;
}

function Discussion({ id }: { id: number }) {
  const linked = route.useSearch({ select: ({ comment }) => comment });
  return <DiscussionPanel on={{ target: 'case', id }} readers={readers} linked={linked} />;
}

function Ai({ id }: { id: number }) {
  const chosen = route.useSearch({ select: ({ run }) => run });
  const navigate = route.useNavigate();
  return (
    <AiPanel
      subject={{ kind: 'case', id }}
      readers="Whoever sees the case and every job that an answer was written from can read it."
      chosen={chosen}
      onChoose={(run) => void navigate({ search: (now) => caseView({ ...now, run }), resetScroll: false })}
    />
  );
}
