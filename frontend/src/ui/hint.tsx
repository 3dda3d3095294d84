import { useEffect, useState } from 'react';
import styles from './hint.module.css';

interface Shown {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly below: boolean;
}

const DELAY_MS = 250;

/** What it shows also describes, to screen readers, what it is of. */
const tooltipId = 'hint';

/**
 * The one tooltip of the page: shows the `data-hint` of whatever is pointed at or focused, and all of a text that is cut. One
 * listener instead of a component per cell keeps tables of thousands of hints light.
 */
export function HintLayer() {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => watchHints(setShown), []);
  if (shown === null) return null;
  return (
    <div
      id={tooltipId}
      role="tooltip"
      className={styles.hint}
      style={{ left: shown.x, top: shown.y, translate: shown.below ? '-50% 0' : '-50% -100%' }}
    >
      {shown.text}
    </div>
  );
}

type Target = HTMLElement | SVGElement;

function watchHints(show: (hint: Shown | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: Target | null = null;
  const turnTo = (target: Target | null) => {
    if (target === current) return;
    if (current?.getAttribute('aria-describedby') === tooltipId) current.removeAttribute('aria-describedby');
    current = target;
    clearTimeout(timer);
    show(null);
    if (target === null) return;
    timer = setTimeout(() => {
      show(placed(target));
      if (!target.hasAttribute('aria-describedby')) target.setAttribute('aria-describedby', tooltipId);
    }, DELAY_MS);
  };
  const handlers: Record<string, (event: Event) => void> = {
    pointermove: (event) => turnTo(event instanceof PointerEvent ? hintUnder(event.clientX, event.clientY) : null),
    focusin: ({ target }) =>
      turnTo(target instanceof Element && target.matches(':focus-visible') ? hintOf(target) : null),
    focusout: () => turnTo(null),
    keydown: () => turnTo(null),
    wheel: () => turnTo(null),
    // Stays the current one, so that what was just pressed does not explain itself again.
    pointerdown: () => {
      clearTimeout(timer);
      show(null);
    },
  };
  for (const [type, handler] of Object.entries(handlers)) document.addEventListener(type, handler, { passive: true });
  return () => {
    clearTimeout(timer);
    for (const [type, handler] of Object.entries(handlers)) document.removeEventListener(type, handler);
  };
}

/** Looks through what lies on top, so that hints work under a link that is stretched over its row. */
function hintUnder(x: number, y: number): Target | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const hint = hintOf(element);
    if (hint) return hint;
  }
  return null;
}

function hintOf(element: Element): Target | null {
  const hint = element.closest('[data-hint]') ?? [element, element.parentElement].find(isCut);
  return hint instanceof HTMLElement || hint instanceof SVGElement ? hint : null;
}

/** Whether it ends in an ellipsis. */
function isCut(element: Element | null): boolean {
  return (
    element !== null &&
    element.scrollWidth > element.clientWidth &&
    getComputedStyle(element).textOverflow === 'ellipsis'
  );
}

function placed(target: Target): Shown | null {
  const text = target.dataset['hint'] ?? target.textContent;
  if (!text || !target.isConnected) return null;
  const box = target.getBoundingClientRect();
  const half = Math.min(160, Math.max(...text.split('\n').map((line) => line.length)) * 3.6 + 12);
  const x = Math.min(Math.max(box.left + box.width / 2, half + 8), window.innerWidth - half - 8);
  const below = box.top < 64;
  return { text, x, y: below ? box.bottom + 6 : box.top - 6, below };
}
