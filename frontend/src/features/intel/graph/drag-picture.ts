import type Sigma from 'sigma';

/** Edges from which on drawing takes longer than a frame where there is no graphics card. */
export const manyEdges = 1500;
const restMs = 160;

/**
 * Has a large picture follow the pointer as it is drawn, and be drawn anew where the pointer rests: each frame of a drag
 * would else draw thousands of edges. A small one is drawn in every frame by sigma itself.
 */
export function dragPicture(sigma: Sigma, element: HTMLElement): () => void {
  let from: { x: number; y: number } | null = null;
  let by = { x: 0, y: 0 };
  let rest: ReturnType<typeof setTimeout> | undefined;
  const isLarge = (): boolean => sigma.getGraph().size > manyEdges;
  const settle = (): void => {
    clearTimeout(rest);
    if (from === null || (by.x === 0 && by.y === 0)) return;
    const [old, now] = [sigma.viewportToFramedGraph({ x: 0, y: 0 }), sigma.viewportToFramedGraph(by)];
    const { x, y } = sigma.getCamera().getState();
    from = { x: from.x + by.x, y: from.y + by.y };
    by = { x: 0, y: 0 };
    sigma.getCamera().setState({ x: x + old.x - now.x, y: y + old.y - now.y });
    // With the new picture, not before it.
    sigma.once('afterRender', () => element.style.removeProperty('transform'));
  };
  const down = ({ button, clientX, clientY }: PointerEvent): void => {
    sigma.setSetting('enableCameraPanning', !isLarge());
    from = button === 0 && isLarge() ? { x: clientX, y: clientY } : null;
  };
  const move = ({ clientX, clientY, buttons }: PointerEvent): void => {
    if (from === null || buttons === 0) return;
    by = { x: clientX - from.x, y: clientY - from.y };
    element.style.transform = `translate(${by.x}px, ${by.y}px)`;
    clearTimeout(rest);
    rest = setTimeout(settle, restMs);
  };
  const up = (): void => {
    settle();
    from = null;
  };
  element.addEventListener('pointerdown', down, true);
  addEventListener('pointermove', move);
  addEventListener('pointerup', up);
  return () => {
    clearTimeout(rest);
    element.removeEventListener('pointerdown', down, true);
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', up);
  };
}
