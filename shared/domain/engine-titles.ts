import { externalEngines, type ExternalEngine } from './workflow.ts';

/** What the engines that are programs of others are called by those who make them. */
export const engineTitles: Readonly<Record<ExternalEngine, string>> = {
  'evtx-timeline': 'Hayabusa',
  'evtx-hunt': 'Chainsaw',
  'sigma-multi': 'Zircolite',
  'sigma-text': 'ChopChopGo',
};

/** By which tasks name an engine, since what a task is about is a number. */
export function engineNumber(engine: ExternalEngine): number {
  return externalEngines.indexOf(engine) + 1;
}

/** The engine of that number; null for none. */
export function numberedEngine(number: number | null): ExternalEngine | null {
  return externalEngines[(number ?? 0) - 1] ?? null;
}
