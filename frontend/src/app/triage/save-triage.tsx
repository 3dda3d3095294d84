import { IconBraces, IconFileText, IconGridDots, IconPrinter, IconTable } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { saveBlob } from '../../api/save-blob.ts';
import { csvOf, findingsJson, navigatorLayer } from '../../api/triage/local-report.ts';
import { printHandover, saveHandover } from '../../features/report/handover/hand-over.ts';
import { SaveMenu, type SavedForm } from '../../features/report/handover/save-menu.tsx';
import { handedTriage, type LocalAnalysis } from './handed-triage.ts';

/** What can be taken along of the report of a log that was analysed here. */
export function SaveTriage(analysis: LocalAnalysis) {
  const { file, report } = analysis;
  const saving = useMutation({ mutationFn: (make: () => Promise<void>) => make() });
  const save = (ending: string, make: () => Blob | Promise<Blob>) =>
    saving.mutate(async () => saveBlob(await make(), `${file.name}_${ending}`));
  const layer = () =>
    new Blob([JSON.stringify(navigatorLayer(report, file.name), null, 2)], { type: 'application/json' });
  const findings: readonly SavedForm[] = [
    { text: 'Findings as CSV', icon: IconTable, onSave: () => save('findings.csv', () => csvOf(report)) },
    { text: 'Findings as JSON', icon: IconBraces, onSave: () => save('findings.json', () => findingsJson(report)) },
    { text: 'Navigator layer', icon: IconGridDots, onSave: () => save('attack_layer.json', layer) },
  ];
  return (
    <SaveMenu
      pending={saving.isPending}
      error={saving.error}
      forms={[
        {
          text: 'Report as HTML',
          icon: IconFileText,
          onSave: () => saving.mutate(() => saveHandover(handedTriage(analysis), `${file.name}_report.html`)),
        },
        {
          text: 'Print report',
          icon: IconPrinter,
          onSave: () => saving.mutate(() => printHandover(handedTriage(analysis))),
        },
        ...(report.findings.length > 0 ? findings : []),
      ]}
    />
  );
}
