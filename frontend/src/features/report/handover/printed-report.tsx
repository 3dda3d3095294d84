import { handoverDocument } from '@svc/application/report/shown/handover/document.ts';
import { handoverStyle } from '@svc/application/report/shown/handover/style.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { usePrinting } from '../../../ui/use-printing.ts';
import { handoverAtHand, handoverQuery, type HandedReport } from './gather-handover.ts';
import { printHandover } from './hand-over.ts';
import styles from './printed-report.module.css';
import { rendered } from './rendered.tsx';

/** The report on paper, whichever part of it is open on the screen: what is handed over, and nothing of the page. */
export function PrintedReport({ report }: { report: HandedReport }) {
  const printing = usePrinting();
  const { data } = useQuery({ ...handoverQuery(report), enabled: printing });
  useEffect(() => {
    // A print does not wait, so the keys for it gather the report first.
    const onKey = (event: KeyboardEvent) => {
      const asked = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key === 'p';
      if (!asked) return;
      event.preventDefault();
      printHandover(report).catch(() => print());
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [report]);
  if (!printing) return null;
  return (
    <div className={styles.report} data-printed>
      <style>{handoverStyle}</style>
      {rendered(handoverDocument(data ?? handoverAtHand(report)))}
    </div>
  );
}
