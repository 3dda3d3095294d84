import type { ReactNode } from 'react';

export function AlertsTab(): ReactNode {
  return null;
}
