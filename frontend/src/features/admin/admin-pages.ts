/**
 * The pages of administrators but workflows, as one script, since one goes from one to the next: the first script names
 * each file that may be asked for.
 */
export { ActivityPage } from './activity-page.tsx';
export { ApiTokensPage } from './api-tokens-page.tsx';
export { DashboardPage } from './dashboard-page.tsx';
export { EnginesPage } from './engines/engines-page.tsx';
export { EnrichmentPage } from './enrichment-page.tsx';
export { SettingsPage } from './settings-page.tsx';
export { StoragePage } from './storage-page.tsx';
export { TasksPage } from './tasks-page.tsx';
export { UsersPage } from './users-page.tsx';
export { WorkersPage } from './workers-page.tsx';
