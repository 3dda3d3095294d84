import type { EvtxEvent } from './evtx-event.ts';
import { JsonOutput } from './json-output.ts';
import { JsonPlan } from './json-plan.ts';
import { renderedJson } from './json-renderer.ts';
import type { LayoutNode } from './layout-node.ts';
import type { RecordFrame } from './record-frame.ts';

const LINE_FEED = 0x0a;
const decoder = new TextDecoder();

/**
 * Writes events as lines of JSON in the layout of evtx_dump (detection-engine 2.6): attributes under
 * `#attributes`, text beside them under `#text`, Data elements by their names, other repeated names
 * suffixed `_1`, `_2` and so on. What goes beyond 4 MiB in one record is null.
 */
export class EventJsonWriter {
  readonly #out = new JsonOutput();
  /** By what records have in common; null where each must be rendered by itself. */
  readonly #plans = new WeakMap<LayoutNode, JsonPlan | null>();

  /** Bytes of the lines not yet taken. */
  get length(): number {
    return this.#out.length;
  }

  /** Appends the event's line. */
  add({ frame }: EvtxEvent): void {
    const out = this.#out;
    const start = out.length;
    if (this.#plan(frame)?.write(out, frame) !== true) {
      out.length = start;
      out.text(renderedJson(frame));
    }
    out.byte(LINE_FEED);
  }

  /** The lines added since the last time; good until another one is added. */
  take(): Uint8Array {
    const { bytes } = this.#out;
    this.#out.length = 0;
    return bytes;
  }

  #plan(frame: RecordFrame): JsonPlan | null {
    const { node } = frame;
    if (node === undefined) return null;
    let plan = this.#plans.get(node);
    if (plan === undefined) {
      plan = JsonPlan.of(frame) ?? null;
      this.#plans.set(node, plan);
    }
    return plan;
  }
}

const writer = new EventJsonWriter();

/** The event as one such line, without its end. */
export function eventJson(event: EvtxEvent): string {
  writer.add(event);
  return decoder.decode(writer.take().subarray(0, -1));
}
