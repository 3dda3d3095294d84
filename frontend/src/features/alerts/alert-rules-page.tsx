import { getRouteApi } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { paths } from '../../paths.ts';
import { lazy } from '../../ui/lazy.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { alertRulesView } from './alert-rules-view.ts';

const parts = {
  rules: lazy(async () => ({ default: (await import('./rules-tab.tsx')).RulesTab })),
  lists: lazy(async () => ({ default: (await import('./lists-tab.tsx')).ListsTab })),
  alerts: lazy(async () => ({ default: (await import('./alerts-tab.tsx')).AlertsTab })),
  deliveries: lazy(async () => ({ default: (await import('./deliveries-tab.tsx')).DeliveriesTab })),
};

const route = getRouteApi(paths.alertRules);

/** What the product tells people by itself: rules, the lists that they ask for, what they matched and whom that was told. */
export function AlertRulesPage(): ReactNode {
  const { view = 'rules' } = route.useSearch();
  const navigate = route.useNavigate();
  const Part = parts[view];
  return (
    <>
      <title>Alert rules · svc</title>
      <PageHead title="Alert rules" />
      <Tabs
        label="Alert rules"
        value={view}
        tabs={[
          ['rules', 'Rules'],
          ['lists', 'Lists'],
          ['alerts', 'Alerts'],
          ['deliveries', 'Deliveries'],
        ]}
        onChange={(next) => void navigate({ search: alertRulesView({ view: next }), resetScroll: false })}
      >
        <Suspense fallback={<Skeleton height={320} />}>
          <Part />
        </Suspense>
      </Tabs>
    </>
  );
}
