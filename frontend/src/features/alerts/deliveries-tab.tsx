import type { ReactNode } from 'react';

export function DeliveriesTab(): ReactNode {
  return null;
}
