import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** An element's width in pixels, known before the first paint; 0 only until then. */
export function useRoom<E extends HTMLElement>(): { ref: RefObject<E | null>; room: number } {
  const ref = useRef<E>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setRoom(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, room };
}
