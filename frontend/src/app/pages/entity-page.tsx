import { IconUsers } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { EntityPage as Page } from '../../features/intel/entity-page.tsx';
import { paths } from '../../paths.ts';
import { lazy } from '../../ui/lazy.ts';

const route = getRouteApi(paths.entity);
const DiscussionPanel = lazy(async () => ({
  default: (await import('../../features/discussions/discussion-panel.tsx')).DiscussionPanel,
}));

const readers = {
  icon: IconUsers,
  text: 'All members read this discussion, whatever jobs they may see; nobody is told of it.',
};

/** An entity, and what members say about it. */
export function EntityPage() {
  return <Page Discussion={Discussion} />;
}

function Discussion({ id }: { id: number }) {
  const linked = route.useSearch({ select: ({ comment }) => comment });
  return <DiscussionPanel on={{ target: 'entity', id }} readers={readers} linked={linked} />;
}
