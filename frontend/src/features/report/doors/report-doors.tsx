import { lazy, Suspense, useCallback, useRef, useState, type ReactNode } from 'react';
import { DoorProvider } from '../../../ui/door.tsx';
import type { DoorValue } from '../../../ui/door-value.ts';

// Most reports are read without it.
const ValuePeek = lazy(async () => ({ default: (await import('./value-peek.tsx')).ValuePeek }));

/** Around a report: its values open beside it. `views` are those that it has to lead to. */
export function ReportDoors({ views, children }: { views: readonly string[]; children: ReactNode }) {
  const [value, setValue] = useState<DoorValue | null>(null);
  const from = useRef<HTMLElement | null>(null);
  const open = useCallback((next: DoorValue, door: HTMLElement) => {
    from.current = door;
    setValue(next);
  }, []);
  const close = useCallback(() => {
    setValue(null);
    if (from.current?.isConnected) from.current.focus();
  }, []);
  return (
    <DoorProvider value={open}>
      {children}
      <Suspense>
        {value && <ValuePeek key={`${value.kind} ${value.value}`} value={value} views={views} onClose={close} />}
      </Suspense>
    </DoorProvider>
  );
}
