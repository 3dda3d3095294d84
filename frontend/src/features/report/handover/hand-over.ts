import { handoverHtml } from '@svc/application/report/shown/handover/document.ts';
import { queryClient } from '../../../api/query-client.ts';
import { saveBlob } from '../../../api/save-blob.ts';
import { handoverQuery, type HandedReport } from './gather-handover.ts';

/** Saves the report as a file of HTML that needs nothing beside itself. */
export async function saveHandover(report: HandedReport, fileName: string): Promise<void> {
  const html = handoverHtml(await queryClient.fetchQuery(handoverQuery(report)));
  saveBlob(new Blob([html], { type: 'text/html' }), fileName);
}

/** Prints the report once all of it is there. */
export async function printHandover(report: HandedReport): Promise<void> {
  await queryClient.fetchQuery(handoverQuery(report));
  print();
}
