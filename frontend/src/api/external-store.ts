/** What packages take from `use-sync-external-store/shim`: React has had it since version 18. */
export { useSyncExternalStore } from 'react';
