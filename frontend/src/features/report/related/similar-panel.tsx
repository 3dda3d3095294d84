import type { FindingRow, SimilarFiles } from '@svc/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { jobQuery } from '../../../api/queries.ts';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { bytes, counted } from '../../../ui/format.ts';
import { SeverityBar } from '../../../ui/severity.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Switcher } from '../../../ui/switcher.tsx';
import { Age } from '../../../ui/time.tsx';
import { CorrelatedJobs } from './correlated-jobs.tsx';
import { differences, likeness } from './likeness.ts';
import tools from '../../../ui/panel-tools.module.css';
import { similarQuery } from './similar-queries.ts';
import styles from './similar-panel.module.css';

interface PanelProps {
  readonly jobId: number;
  readonly findings: readonly FindingRow[];
}

/** Distances that one looks within. */
const thresholds = [
  [30, 'Nearly equal'],
  [100, 'Alike'],
  [200, 'Related'],
] as const;

/** Where the same was seen before: files with like content, and jobs in which the same rules fired. */
export function SimilarPanel({ jobId, findings }: PanelProps) {
  return (
    <>
      <SimilarCard jobId={jobId} />
      <CorrelatedJobs jobId={jobId} findings={findings} />
    </>
  );
}

function SimilarCard({ jobId }: { jobId: number }) {
  const [threshold, setThreshold] = useState<number>(100);
  const { data, error, refetch } = useQuery(similarQuery(jobId, threshold));
  return (
    <section className={cx('card', tools.card)} aria-label="Similar files">
      <header className={tools.tools}>
        <h2 className={styles.title}>Similar files</h2>
        <Switcher label="How alike" value={threshold} options={thresholds} onChange={setThreshold} />
        <span className={tools.facts} role="status">
          {data &&
            `${data.files.length === 0 ? 'none' : counted(data.files.length, 'file')} within distance ${data.threshold}`}
        </span>
        {data !== undefined && data.tlsh !== null && (
          <span className={styles.digest}>
            <code className="cut" data-hint={`TLSH digest of this file\n${data.tlsh}`}>
              {data.tlsh}
            </code>
            <CopyButton text={data.tlsh} what="TLSH digest" />
          </span>
        )}
      </header>
      {error ? (
        <ErrorState what="Similar files cannot be read" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <div className={styles.text}>
          <Skeleton height={64} />
        </div>
      ) : data.tlsh === null ? (
        <p className={styles.text}>
          This file has no digest to compare: its content is too small or too uniform for one, or the digest of a large
          file is still being made.
        </p>
      ) : data.files.length === 0 ? (
        <p className={styles.text}>
          No other file that you can see is this near. A wider distance may find related ones.
        </p>
      ) : (
        <Files tlsh={data.tlsh} threshold={data.threshold} files={data.files} />
      )}
    </section>
  );
}

function Files({ tlsh, threshold, files }: SimilarFiles & { tlsh: string }) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>File</th>
            <th className={styles.wide}>Distance</th>
            <th>What differs</th>
            <th className={styles.narrow}>Size</th>
            <th className={styles.narrow}>Severities</th>
            <th className={styles.narrow}>Submitted</th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <FileRow key={file.file_id} tlsh={tlsh} threshold={threshold} file={file} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A file by its newest job; what differs is told by the digest that the job knows. */
function FileRow(props: { tlsh: string; threshold: number; file: SimilarFiles['files'][number] }) {
  const { tlsh, threshold, file } = props;
  const { data: job } = useQuery({ ...jobQuery(file.job_id), staleTime: 60_000 });
  const other = job?.file.tlsh;
  const share = 100 - (100 * Math.min(file.distance, threshold)) / Math.max(threshold, 1);
  return (
    <tr>
      <td>
        <Link to={paths.job} params={{ jobId: file.job_id }} className="cut">
          {file.filename}
        </Link>{' '}
        <span className="faint">#{file.job_id}</span>
      </td>
      <td className={styles.distance}>
        <strong>{file.distance}</strong>
        <span className={styles.meter} aria-hidden="true">
          <span style={{ width: `${share}%` }} />
        </span>
        <span className="soft">{likeness(file.distance)}</span>
      </td>
      <td className="soft">{typeof other === 'string' && differences(tlsh, other)}</td>
      <td className={styles.figure}>{job && bytes(job.file.size_bytes)}</td>
      <td>{job && <SeverityBar summary={job.severity_summary} />}</td>
      <td className={styles.figure}>{job && <Age iso={job.created_at} />}</td>
    </tr>
  );
}
