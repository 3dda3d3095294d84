import { LinkButton } from '../../../ui/link-button.tsx';
import { MomentField } from '../../../ui/moment-field.tsx';

/** A window of time in milliseconds; an end that is left out is open. */
export interface Window {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

interface TimeWindowProps {
  /** What is looked for in it. */
  readonly what: string;
  readonly value: Window;
  /** From when to when there is anything; null where there is nothing, undefined while that is not known. */
  readonly extent: { readonly from: number; readonly to: number } | null | undefined;
  readonly onChange: (value: Window) => void;
}

/** The two ends of a window of time. */
export function TimeWindow({ what, value, extent, onChange }: TimeWindowProps) {
  const isOpen = value.from === undefined && value.to === undefined;
  return (
    <>
      <span>{what}</span>
      <MomentField label="From" value={value.from} onChange={(from) => onChange({ ...value, from })} />
      <MomentField label="To" value={value.to} onChange={(to) => onChange({ ...value, to })} />
      {isOpen && extent && (
        // The last second is one of the window.
        <LinkButton onClick={() => onChange({ from: extent.from, to: Math.ceil(extent.to / 1000) * 1000 })}>
          {`${written(extent.from)} to ${written(extent.to)}`}
        </LinkButton>
      )}
      {!isOpen && <LinkButton onClick={() => onChange({})}>All times</LinkButton>}
    </>
  );
}

function written(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
