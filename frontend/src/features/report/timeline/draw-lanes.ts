import type { EventsTimeline } from '@svc/contracts';
import { sentence } from '../../../ui/format.ts';
import { ticks, type TimeWindow } from './time-window.ts';

type Item = EventsTimeline['items'][number];

/** Where the lanes are drawn: pixels of their width, and the time that they show. */
export interface LanesPlace {
  readonly width: number;
  readonly window: TimeWindow;
}

export const laneHeight = 32;
const axisHeight = 24;
/** How near a marker a pointer must be, in pixels. */
const reach = 4;

export function lanesHeight({ groupings }: EventsTimeline): number {
  return groupings.length * laneHeight + axisHeight;
}

/** Key and label of each lane, from the top. */
export function laneLabels({ groupings }: EventsTimeline): [string, string][] {
  return groupings.map((key) => [key, sentence(key.replace(/^_/, ''))]);
}

/** Draws lanes, markers and the axis; sizes are those of the element, colours those of the page's theme. */
export function drawLanes(
  context: CanvasRenderingContext2D,
  timeline: EventsTimeline,
  { chosen, ...place }: LanesPlace & { readonly chosen: Item | null },
): void {
  const { canvas } = context;
  const [ratio, height] = [window.devicePixelRatio, lanesHeight(timeline)];
  canvas.width = Math.round(place.width * ratio);
  canvas.height = Math.round(height * ratio);
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const color = (name: string): string => style.getPropertyValue(name);
  context.clearRect(0, 0, place.width, height);
  context.fillStyle = color('--line');
  for (const at of timeline.groupings.keys()) context.fillRect(0, (at + 1) * laneHeight - 1, place.width, 1);
  drawAxis(context, place, height, color);
  for (const item of timeline.items) {
    const { x, y, radius } = markerOf(timeline, place, item);
    context.globalAlpha = chosen === null || chosen.id === item.id ? 0.9 : 0.45;
    context.fillStyle = color(`--${item.category}-fill`);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
}

function drawAxis(
  context: CanvasRenderingContext2D,
  place: LanesPlace,
  height: number,
  color: (name: string) => string,
): void {
  context.font = `12px ${color('font-family')}`;
  for (const { at, label } of ticks(place.window, Math.max(2, Math.floor(place.width / 110)))) {
    const x = Math.round(xOf(place, at));
    context.fillStyle = color('--line');
    context.fillRect(x, 0, 1, height - axisHeight + 4);
    context.fillStyle = color('--text-faint');
    context.textAlign = x > place.width - 40 ? 'right' : x < 40 ? 'left' : 'center';
    context.fillText(label, x, height - 6);
  }
}

/** The marker under a point of the lanes; the nearest of several. */
export function markerAt(timeline: EventsTimeline, place: LanesPlace, x: number, y: number): Item | null {
  let nearest: { item: Item; distance: number } | null = null;
  for (const item of timeline.items) {
    const marker = markerOf(timeline, place, item);
    const distance = Math.hypot(marker.x - x, marker.y - y);
    if (distance <= marker.radius + reach && (nearest === null || distance < nearest.distance)) {
      nearest = { item, distance };
    }
  }
  return nearest?.item ?? null;
}

function markerOf({ groupings }: EventsTimeline, place: LanesPlace, { start, grouping, meta }: Item) {
  return {
    x: xOf(place, start),
    y: groupings.indexOf(grouping) * laneHeight + laneHeight / 2,
    // By the logarithm: one event among thousands is still seen.
    radius: Math.min(laneHeight / 2 - 2, 4 + 1.2 * Math.log2(meta.events)),
  };
}

function xOf({ width, window: { from, to } }: LanesPlace, at: number): number {
  return ((at - from) / (to - from)) * width;
}
