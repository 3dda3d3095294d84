import { call, operations, type Home } from '@svc/contracts';
import { IconArrowRight } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { paths } from '../../paths.ts';
import { bytes } from '../../ui/format.ts';
import { reasonOf } from '../../ui/states.tsx';
import styles from './samples.module.css';

/** The service's own sample logs; a click submits one and opens its report. */
export function Samples({ samples }: { samples: Home['samples'] }) {
  const navigate = useNavigate();
  const submit = useMutation({
    mutationFn: (name: string) => call(operations.submitSample, { name }),
    onSuccess: ({ job_id: jobId }) => navigate({ to: paths.job, params: { jobId } }),
  });
  return (
    <div className={styles.samples}>
      <h2 className={styles.title}>No log at hand? Try a sample.</h2>
      <ul className={styles.list}>
        {samples.map(({ name, title, description, size_bytes: size }) => (
          <li key={name}>
            <button
              type="button"
              className={styles.sample}
              disabled={submit.isPending}
              onClick={() => submit.mutate(name)}
            >
              <span className={styles.name}>
                {title}
                <IconArrowRight size={14} stroke={2} aria-hidden="true" />
              </span>
              <span className={styles.about}>{description}</span>
              <span className="faint">{bytes(size)}</span>
            </button>
          </li>
        ))}
      </ul>
      {submit.isError && (
        <p role="alert" className={styles.error}>
          {reasonOf(submit.error)}
        </p>
      )}
    </div>
  );
}
