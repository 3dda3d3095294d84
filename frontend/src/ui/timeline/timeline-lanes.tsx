import type { EventsTimeline } from '@svc/contracts';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react';
import { counted, sentence } from '../format.ts';
import { tacticName } from '../tactic-names.ts';
import { axisTicks, drawLanes, laneHeight, lanesHeight, markerAt, type LanesPlace } from './draw-lanes.ts';
import type { Lanes, MarkedJob, Marker } from './lanes.ts';
import { JobName } from './job-name.tsx';
import styles from './timeline-lanes.module.css';
import { panned, type TimeWindow, zoomed } from './time-window.ts';

interface LanesProps {
  readonly timeline: EventsTimeline;
  readonly lanes: Lanes;
  readonly extent: TimeWindow;
  readonly window: TimeWindow;
  readonly onWindow: (window: TimeWindow | null) => void;
  readonly onOpen: (marker: Marker) => void;
  /** Logs by their numbers, where markers are of several. */
  readonly jobs?: ReadonlyMap<number, MarkedJob>;
}

const oneJob: ReadonlyMap<number, MarkedJob> = new Map();

/** How far from where it was pressed a pointer must be for a brush instead of a click, in pixels. */
const brushFrom = 6;

/** Markers in their lanes, under an axis that stays in sight. Wheel and + − zoom, arrows move, dragging zooms to what was brushed. */
export function TimelineLanes({ timeline, lanes, extent, window, onWindow, onOpen, jobs = oneJob }: LanesProps) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  // What is drawn keeps the colours of its theme: another theme draws it anew.
  useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hovered, setHovered] = useState<{ marker: Marker; x: number; y: number } | null>(null);
  const [brush, setBrush] = useState<{ from: number; to: number } | null>(null);
  const place = { width, window, lanes };
  const timeAt = (x: number): number => window.from + (x / Math.max(1, width)) * (window.to - window.from);
  const zoom = (factor: number, around = (window.from + window.to) / 2) =>
    onWindow(zoomed(window, factor, around, extent));

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context && width > 0) drawLanes(context, timeline.items, { ...place, jobs, chosen: hovered?.marker ?? null });
  });
  useEffect(() => {
    const element = canvas.current;
    // React listens to wheels passively, and the page must not scroll while this zooms.
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey && Math.abs(event.deltaX) < Math.abs(event.deltaY) && !event.altKey) {
        event.preventDefault();
        zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(event.offsetX));
      }
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  });

  const press = ({ nativeEvent: { offsetX }, pointerId, currentTarget }: PointerEvent<HTMLCanvasElement>) => {
    currentTarget.setPointerCapture(pointerId);
    setBrush({ from: offsetX, to: offsetX });
  };
  const move = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent<HTMLCanvasElement>) => {
    if (brush) setBrush({ ...brush, to: offsetX });
    const marker = markerAt(timeline.items, place, offsetX, offsetY);
    setHovered(marker === null ? null : { marker, x: offsetX, y: offsetY });
  };
  const release = ({ nativeEvent: { offsetX, offsetY } }: PointerEvent<HTMLCanvasElement>) => {
    setBrush(null);
    if (brush && Math.abs(brush.from - brush.to) >= brushFrom) {
      const [from, to] = [Math.min(brush.from, brush.to), Math.max(brush.from, brush.to)].map(timeAt) as [
        number,
        number,
      ];
      onWindow({ from: Math.round(from), to: Math.round(Math.max(to, from + 1000)) });
      return;
    }
    const marker = markerAt(timeline.items, place, offsetX, offsetY);
    if (marker !== null) onOpen(marker);
  };
  const steer = (event: KeyboardEvent) => {
    const { key } = event;
    if (key === '+' || key === '=') zoom(0.5);
    else if (key === '-') zoom(2);
    else if (key === '0') onWindow(null);
    else if (key === 'ArrowLeft') onWindow(panned(window, -0.25, extent));
    else if (key === 'ArrowRight') onWindow(panned(window, 0.25, extent));
    else return;
    event.preventDefault();
  };

  return (
    <div className={styles.frame}>
      <Axis {...place} />
      <ul className={styles.labels} style={{ '--lane': `${laneHeight}px` } as CSSProperties}>
        {lanes.lanes.map(({ key, label }) => (
          <li key={key} className={styles.label}>
            <span className="cut" data-hint={label}>
              {label}
            </span>
          </li>
        ))}
      </ul>
      <div ref={ref} className={styles.lanes}>
        <canvas
          ref={canvas}
          className={styles.canvas}
          style={{ height: lanesHeight(lanes) }}
          tabIndex={0}
          role="img"
          aria-label={`Timeline of ${counted(timeline.total, 'match', 'matches')}; plus and minus zoom, arrows move, 0 shows all. The table below tells the same.`}
          onPointerDown={press}
          onPointerMove={move}
          onPointerUp={release}
          onPointerLeave={() => setHovered(null)}
          onKeyDown={steer}
        />
        {brush && Math.abs(brush.from - brush.to) >= brushFrom && (
          <div
            className={styles.brush}
            style={{ left: Math.min(brush.from, brush.to), width: Math.abs(brush.from - brush.to) }}
          />
        )}
        {hovered && !brush && <HoverCard {...hovered} width={width} job={jobs.get(hovered.marker.meta.job_id)} />}
      </div>
    </div>
  );
}

/** Round moments over the lanes; the day of the left edge beside them. */
function Axis({ width, window }: Pick<LanesPlace, 'width' | 'window'>) {
  return (
    <div className={styles.axis} aria-hidden="true">
      <span className={styles.day}>{new Date(window.from).toISOString().slice(0, 10)}</span>
      <div className={styles.moments}>
        {axisTicks({ width, window }).map(({ x, label }) => (
          <span key={x} className={styles.moment} style={{ left: x }}>
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}

interface HoverProps {
  readonly marker: Marker;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly job: MarkedJob | undefined;
}

function HoverCard({ marker, x, y, width, job }: HoverProps) {
  const { label, start, category, grouping, meta } = marker;
  const side = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
  return (
    <div className={styles.hover} style={{ ...side, top: y + 12 }}>
      <strong>{label}</strong>
      <span>
        {sentence(category)} · {tacticName(grouping)}
      </span>
      <span>
        {new Date(start).toISOString().slice(0, 19).replace('T', ' ')} UTC · {counted(meta.events, 'event')}
      </span>
      {meta.computer !== null && <span>{meta.computer}</span>}
      {job && <JobName job={job} />}
    </div>
  );
}
