import type { ReactNode } from 'react';

export function RulesTab(): ReactNode {
  return null;
}
