import { rankOf, worstLast, type Lanes, type MarkedJob, type Marker } from './lanes.ts';
import { ticks, type TimeWindow } from './time-window.ts';

/** Where markers are drawn: pixels of the width, the time that it shows, and the lanes. */
export interface LanesPlace {
  readonly width: number;
  readonly window: TimeWindow;
  readonly lanes: Lanes;
}

export const laneHeight = 32;
/** How near a marker a pointer must be, in pixels. */
const reach = 4;
/** Pixels that a label of the axis takes. */
const labelWidth = 96;

export function lanesHeight({ lanes }: Lanes): number {
  return lanes.length * laneHeight;
}

/**
 * Draws lanes, markers and the lines of the axis; sizes are those of the element, colours those of the page's theme.
 * Markers of several jobs have a ring in the colour of theirs.
 */
export function drawLanes(
  context: CanvasRenderingContext2D,
  markers: readonly Marker[],
  {
    chosen,
    jobs,
    ...place
  }: LanesPlace & { readonly chosen: Marker | null; readonly jobs: ReadonlyMap<number, MarkedJob> },
): void {
  const { canvas } = context;
  const [ratio, height] = [window.devicePixelRatio, lanesHeight(place.lanes)];
  canvas.width = Math.round(place.width * ratio);
  canvas.height = Math.round(height * ratio);
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  const color = (name: string): string => style.getPropertyValue(name);
  context.clearRect(0, 0, place.width, height);
  context.fillStyle = color('--line');
  for (const at of place.lanes.lanes.keys()) context.fillRect(0, (at + 1) * laneHeight - 1, place.width, 1);
  for (const { x } of axisTicks(place)) context.fillRect(x, 0, 1, height);
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const rim = color('--surface');
  for (const marker of worstLast(markers)) {
    const { x, y, radius } = circleOf(place, marker);
    const fill = color(`--${marker.category}-fill`);
    context.globalAlpha = chosen === null || chosen.id === marker.id ? 1 : 0.45;
    context.fillStyle = fill;
    // Markers that touch stay apart.
    context.strokeStyle = rim;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    const job = jobs.get(marker.meta.job_id);
    if (job !== undefined) ring(context, { x, y, radius, color: color(job.color) });
    context.fillStyle = inkOn(fill);
    context.font = `700 ${Math.round(radius * 1.25)}px ${color('font-family')}`;
    context.fillText(marker.category.charAt(0).toUpperCase(), x, y + 0.5);
  }
  context.globalAlpha = 1;
}

function ring(
  context: CanvasRenderingContext2D,
  { x, y, radius, color }: { x: number; y: number; radius: number; color: string },
): void {
  const width = context.lineWidth;
  context.lineWidth = 2;
  context.strokeStyle = color;
  context.beginPath();
  context.arc(x, y, radius + 1, 0, 2 * Math.PI);
  context.stroke();
  context.lineWidth = width;
}

/** Black or white, whichever is read better on a colour (`#rrggbb`; relative luminance, WCAG 2.2). */
export function inkOn(fill: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(fill.trim().slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Where the contrast with white equals that with black.
  return luminance > 0.179 ? '#000' : '#fff';
}

/** Round moments along the axis: `x` in pixels. */
export function axisTicks({ width, window }: Omit<LanesPlace, 'lanes'>): { x: number; label: string }[] {
  if (width === 0) return [];
  return ticks(window, Math.max(2, Math.floor(width / labelWidth))).map(({ at, label }) => ({
    x: Math.round(xOf({ width, window }, at)),
    label,
  }));
}

/** The marker under a point of the lanes: of several the one on top, the worst, then the nearest. */
export function markerAt(markers: readonly Marker[], place: LanesPlace, x: number, y: number): Marker | null {
  const under = markers.flatMap((marker) => {
    const circle = circleOf(place, marker);
    const beyond = Math.hypot(circle.x - x, circle.y - y) - circle.radius;
    return beyond <= reach ? [{ marker, beyond }] : [];
  });
  // What covers the point goes before what is only near it.
  const [first] = under.sort(
    (a, b) =>
      Number(a.beyond > 0) - Number(b.beyond > 0) ||
      rankOf(a.marker.category) - rankOf(b.marker.category) ||
      a.beyond - b.beyond,
  );
  return first?.marker ?? null;
}

function circleOf(place: LanesPlace, marker: Marker) {
  return {
    x: xOf(place, marker.start),
    y: place.lanes.placeOf(marker) * laneHeight + laneHeight / 2,
    // By the logarithm: one event among thousands is still seen.
    radius: Math.min(laneHeight / 2 - 2, 7 + Math.log2(marker.meta.events)),
  };
}

function xOf({ width, window: { from, to } }: Omit<LanesPlace, 'lanes'>, at: number): number {
  return ((at - from) / (to - from)) * width;
}
