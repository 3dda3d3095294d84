import type { EventsTimeline } from '@svc/contracts';
import { severities } from '@svc/domain';
import { counted } from '../format.ts';
import { tacticName } from '../tactic-names.ts';

export type Marker = EventsTimeline['items'][number];
/** What the markers of a timeline are put into lanes by. */
export type LanesBy = 'tactic' | 'host' | 'job';

/** A log that markers of a case come from. */
export interface MarkedJob {
  readonly id: number;
  readonly name: string;
  /** Name of the property with its colour. */
  readonly color: string;
}

export interface Lane {
  readonly key: string;
  readonly label: string;
}

/** Lanes from the top, and which of them a marker stands in. */
export interface Lanes {
  readonly lanes: readonly Lane[];
  readonly placeOf: (marker: Marker) => number;
}

/** Hosts that have a lane of their own; the rest share the last one. */
export const mostHosts = 15;

export function lanesOf(timeline: EventsTimeline, by: LanesBy, jobs: readonly MarkedJob[] = []): Lanes {
  if (by === 'job') return jobLanes(jobs);
  return by === 'host' ? hostLanes(timeline.items) : tacticLanes(timeline.groupings);
}

function tacticLanes(groupings: readonly string[]): Lanes {
  const places = new Map(groupings.map((key, place) => [key, place]));
  const lanes = groupings.map((key) => ({ key, label: tacticName(key) }));
  return { lanes, placeOf: ({ grouping }) => places.get(grouping) ?? 0 };
}

function jobLanes(jobs: readonly MarkedJob[]): Lanes {
  const own = jobs.length > mostHosts + 1 ? jobs.slice(0, mostHosts) : jobs;
  const lanes = own.map(({ id, name }) => ({ key: `job:${id}`, label: name }));
  const others = jobs.length - own.length;
  if (others > 0) lanes.push({ key: 'others', label: counted(others, 'other log') });
  const places = new Map(own.map(({ id }, place) => [id, place]));
  return { lanes, placeOf: ({ meta }) => places.get(meta.job_id) ?? own.length };
}

/** The host with the worst findings first; of equals the one with more events. */
function hostLanes(markers: readonly Marker[]): Lanes {
  const hosts = new Map<string | null, { worst: number; events: number }>();
  for (const { category, meta } of markers) {
    const host = hosts.get(meta.computer) ?? { worst: severities.length, events: 0 };
    hosts.set(meta.computer, {
      worst: Math.min(host.worst, rankOf(category)),
      events: host.events + meta.events,
    });
  }
  const names = [...hosts].sort(([, a], [, b]) => a.worst - b.worst || b.events - a.events).map(([name]) => name);
  // A lane for one host more is no longer than a lane for "1 other host".
  const own = names.length > mostHosts + 1 ? names.slice(0, mostHosts) : names;
  const lanes = own.map((name) => ({ key: `host:${name ?? ''}`, label: name ?? 'No host' }));
  const others = names.length - own.length;
  if (others > 0) lanes.push({ key: 'others', label: counted(others, 'other host') });
  const places = new Map(own.map((name, place) => [name, place]));
  return { lanes, placeOf: ({ meta }) => places.get(meta.computer) ?? own.length };
}

/** Place of a severity among all, the worst is 0; one that is not known comes last. */
export function rankOf(severity: string): number {
  const place = severities.findIndex((name) => name === severity);
  return place === -1 ? severities.length : place;
}

/** Markers in the order in which they are painted: the worst last, so that no other covers it. */
export function worstLast(markers: readonly Marker[]): Marker[] {
  return [...markers].sort((a, b) => rankOf(b.category) - rankOf(a.category));
}
