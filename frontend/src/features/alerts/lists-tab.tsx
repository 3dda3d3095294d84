import type { ReactNode } from 'react';

export function ListsTab(): ReactNode {
  return null;
}
