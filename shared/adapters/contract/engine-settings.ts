import type { PostgresPorts } from '../postgres/ports.ts';
import { describe, expect, it } from 'vitest';
import { at, jobFixture, outcome } from './job-fixture.ts';

/** What is kept of engines that are programs of others; `make` gives empty repositories, `elsewhere` those of another process. */
export function engineSettingsContract(
  make: () => Promise<PostgresPorts>,
  elsewhere: () => Pick<PostgresPorts, 'engineSettings'>,
): void {
  describe('engines', () => {
    let ports: PostgresPorts;
    const { begin, running } = jobFixture(async () => (ports = await make()));

    it('are said nothing of at first, and change in every process at once', async () => {
      const { engineSettings } = ports;
      expect(await engineSettings.all()).toEqual(new Map());
      await engineSettings.change('evtx-hunt', { enabled: true });
      const setting = { enabled: true, program: null, seen: null };
      expect(await elsewhere().engineSettings.all()).toEqual(new Map([['evtx-hunt', setting]]));
      const program = { kind: 'image', image: 'registry.example/hunt:1' } as const;
      await elsewhere().engineSettings.change('evtx-hunt', { program });
      await engineSettings.change('evtx-hunt', {});
      expect(await engineSettings.all()).toEqual(new Map([['evtx-hunt', { ...setting, program }]]));
    });

    it('keep what was found of them until they are another program', async () => {
      const { engineSettings } = ports;
      const seen = { found: { version: '4.0.0', at: '/opt/tool', digest: null }, at, on: 'host', log: 'tool 4\n' };
      await engineSettings.noteSeen('evtx-timeline', seen);
      expect((await engineSettings.all()).get('evtx-timeline')).toEqual({ enabled: false, program: null, seen });
      await engineSettings.change('evtx-timeline', { enabled: true });
      expect((await engineSettings.all()).get('evtx-timeline')).toEqual({ enabled: true, program: null, seen });
      await engineSettings.noteSeen('evtx-timeline', { ...seen, found: { missing: 'It is gone' } });
      expect((await engineSettings.all()).get('evtx-timeline')?.seen?.found).toEqual({ missing: 'It is gone' });
      await engineSettings.change('evtx-timeline', { program: { kind: 'path', path: '/usr/bin/tool' } });
      expect((await engineSettings.all()).get('evtx-timeline')?.seen).toBeNull();
    });

    it('have the figures of their last runs', async () => {
      const { engineRuns, results } = ports;
      expect(await engineRuns.figures(10)).toEqual(new Map());
      const end = async (task: number, over: Parameters<typeof outcome>[0]) =>
        expect(await results.finishTask(task, outcome(over), at)).toBe(true);
      const [first, second] = [await running(), await running()];
      const [early = 0] = await begin(first, ['a']);
      await end(early, { status: 'failed', errorMessage: 'exit code 1', durationMs: 9, findings: [] });
      const [late = 0, other = 0, skipped = 0] = await begin(second, ['a', 'b', 'c']);
      await end(late, { durationMs: 30 });
      await end(other, { durationMs: 0 });
      await end(skipped, { status: 'skipped', findings: [] });
      const [{ bytesTotal } = { bytesTotal: 0 }] = await ports.jobViews.tasks(second);
      const figures = await engineRuns.figures(10);
      expect(figures.get('a')).toEqual({
        runs: 2,
        failures: 1,
        msPerMb: (30 * 1_048_576) / bytesTotal!,
        last: { jobId: second, at, status: 'completed', error: null },
      });
      expect(figures.get('b')).toMatchObject({ runs: 1, failures: 0, msPerMb: null });
      expect(figures.get('c')).toEqual({ runs: 0, failures: 0, msPerMb: null, last: null });
      expect((await engineRuns.figures(1)).get('a')).toMatchObject({ runs: 1, failures: 0 });
    });
  });
}
