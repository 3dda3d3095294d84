import { useMemo, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { count, counted } from '../format.ts';
import { isWithin, placed, windowOf, type TimeBar, type TimeWindow } from './time-bars.ts';
import styles from './time-bars.module.css';

/** What bars are of, and how they are told. */
export interface BarLooks {
  /** Of the chart. */
  readonly name: string;
  /** What is counted. */
  readonly unit: readonly [one: string, many: string];
  /** Of a part of a bar. */
  readonly partName: (key: string) => string;
  readonly partColor: (key: string) => string;
  readonly axisLabel: (bar: TimeBar, before: TimeBar | undefined) => string;
}

interface ChartProps {
  readonly looks: BarLooks;
  readonly bars: readonly TimeBar[];
  /** In pixels. */
  readonly width: number;
  readonly window: TimeWindow | null;
  readonly onBrush: (window: TimeWindow | null) => void;
}

const height = 34;
const axisHeight = 14;
/** No bar is wider; a log of one hour is no wall. */
const widestBar = 48;
/** Of a character of a label on the axis, and between two labels, in pixels. */
const charWidth = 6.4;
const labelSpace = 10;

/** Bars by time. A pointer brushes them; arrows move, with Shift they stretch, Enter takes and Escape shows all. */
export function TimeBars({ looks, bars, width, window, onBrush }: ChartProps) {
  const [anchor, setAnchor] = useState<number | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const { starts, breaks, length } = useMemo(() => placed(bars), [bars]);
  const step = Math.min(widestBar, width / Math.max(1, length));
  const fullest = Math.max(1, ...bars.map((bar) => bar.count));
  const [brushing, setBrushing] = useState(false);
  const placeAt = ({ nativeEvent: { offsetX } }: PointerEvent): number =>
    Math.max(
      0,
      starts.findLastIndex((start) => start * step <= offsetX),
    );
  const take = (one: number, other: number) => {
    onBrush(windowOf(bars, one, other));
    setAnchor(null);
  };
  const steer = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    const at = cursor ?? (key === 'ArrowLeft' ? bars.length : -1);
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      setAnchor(shiftKey ? (anchor ?? Math.max(0, at)) : null);
      setCursor(Math.min(bars.length - 1, Math.max(0, at + (key === 'ArrowLeft' ? -1 : 1))));
    } else if (key === 'Enter' && cursor !== null) take(anchor ?? cursor, cursor);
    else if (key === 'Escape' || key === '0') onBrush(null);
    else return;
    event.preventDefault();
  };
  const letGo = () => {
    setBrushing(false);
    setAnchor(null);
    setCursor(null);
  };
  const marked = cursor === null ? null : bars[cursor];
  const brushed = anchor !== null && cursor !== null ? windowOf(bars, anchor, cursor) : null;
  return (
    <>
      <div
        className={styles.bars}
        tabIndex={0}
        role="slider"
        aria-label={`${looks.name}: arrows move, Shift with arrows stretches, Enter filters, Escape shows all`}
        aria-valuemin={1}
        aria-valuemax={bars.length}
        aria-valuenow={(cursor ?? 0) + 1}
        aria-valuetext={nameOf(marked ?? bars[0]!, looks)}
        onKeyDown={steer}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setAnchor(placeAt(event));
          setCursor(placeAt(event));
          setBrushing(true);
        }}
        onPointerMove={(event) => setCursor(placeAt(event))}
        onPointerUp={(event) => {
          setBrushing(false);
          if (anchor !== null) take(anchor, placeAt(event));
        }}
        // A finger that turns out to scroll the page brushes nothing.
        onPointerCancel={letGo}
        onPointerLeave={() => !brushing && setCursor(null)}
        onBlur={letGo}
      >
        <svg width={width} height={height + axisHeight} className={styles.picture} aria-hidden="true">
          {bars.map((bar, at) => (
            <Bar
              key={bar.from}
              looks={looks}
              bar={bar}
              x={starts[at]! * step}
              width={step}
              fullest={fullest}
              isFaint={!isWithin(bar, brushed ?? window)}
              isMarked={at === cursor}
            />
          ))}
          <line x1={0} x2={width} y1={height + 0.5} y2={height + 0.5} className={styles.axis} />
          {breaks.map(({ at, hours }) => (
            <Break key={at} x={at * step} hours={hours} room={4 * step} />
          ))}
          <Labels looks={looks} bars={bars} starts={starts} step={step} width={width} />
        </svg>
      </div>
      {marked && <ReadOut looks={looks} bar={marked} x={(starts[cursor!]! + 0.5) * step} width={width} />}
    </>
  );
}

interface BarProps extends Pick<ChartProps, 'looks' | 'width'> {
  readonly bar: TimeBar;
  readonly x: number;
  readonly fullest: number;
  readonly isFaint: boolean;
  readonly isMarked: boolean;
}

function Bar({ looks, bar, x, width, fullest, isFaint, isMarked }: BarProps) {
  const space = width > 3 ? 1 : 0;
  return (
    <g opacity={isFaint ? 0.22 : 1}>
      {isMarked && <rect x={x} y={0} width={width} height={height} className={styles.marked} />}
      {stacked(bar, fullest).map(({ key, top, tall }) => (
        <rect key={key} x={x} y={top} width={width - space} height={tall} fill={looks.partColor(key)} />
      ))}
    </g>
  );
}

/** Where the parts of a bar lie, from the axis up. */
function stacked({ segments }: TimeBar, fullest: number) {
  const parts: { readonly key: string; readonly top: number; readonly tall: number }[] = [];
  for (const { key, count: own } of segments) {
    // One beside thousands is still seen.
    const tall = Math.max(1, ((height - 4) * own) / fullest);
    parts.push({ key, tall, top: (parts.at(-1)?.top ?? height) - tall });
  }
  return parts;
}

function nameOf(bar: TimeBar, { unit }: BarLooks): string {
  return `${bar.label}, ${counted(bar.count, ...unit)}`;
}

/** Where a time with nothing in it is left out. */
function Break({ x, hours, room }: { x: number; hours: number; room: number }) {
  const text = hours < 48 ? `${hours} h` : `${count(Math.round(hours / 24))} d`;
  return (
    <g>
      <line x1={x} x2={x} y1={height - 8} y2={height + 4} className={styles.gap} />
      {room > text.length * charWidth && (
        <text x={x} y={height - 12} textAnchor="middle" className={styles.label}>
          {text}
        </text>
      )}
    </g>
  );
}

interface LabelsProps extends Pick<ChartProps, 'looks' | 'bars' | 'width'> {
  readonly starts: readonly number[];
  readonly step: number;
}

/** As many labels as stand beside one another. */
function Labels({ looks, bars, starts, step, width }: LabelsProps) {
  const labels: { readonly x: number; readonly text: string }[] = [];
  let before: TimeBar | undefined;
  let end = -labelSpace;
  for (const [at, bar] of bars.entries()) {
    const x = starts[at]! * step;
    const text = looks.axisLabel(bar, before);
    if (x < end + labelSpace || x + text.length * charWidth > width) continue;
    labels.push({ x, text });
    end = x + text.length * charWidth;
    before = bar;
  }
  return labels.map(({ x, text }) => (
    <text key={x} x={x} y={height + axisHeight - 2} className={styles.label}>
      {text}
    </text>
  ));
}

function ReadOut({ looks, bar, x, width }: Pick<BarProps, 'looks' | 'bar' | 'x' | 'width'>) {
  const side = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
  return (
    <div className={styles.readOut} style={side}>
      <strong>{bar.label} UTC</strong>
      <span>{counted(bar.count, ...looks.unit)}</span>
      {bar.segments.map(({ key, count: part }) => (
        <span key={key} className={styles.key}>
          <span className={styles.dot} style={{ background: looks.partColor(key) }} />
          {looks.partName(key)} {count(part)}
        </span>
      ))}
    </div>
  );
}
