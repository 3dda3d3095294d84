import { Button, NativeSelect } from '@mantine/core';
import { call, operations, type AdminWorkflow } from '@svc/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { homeQuery } from '../../../api/queries.ts';
import { paths } from '../../../paths.ts';
import { Failure } from '../../../ui/form.tsx';
import styles from './workflows.module.css';

/** A sample log is analysed by the workflow, as a private job. */
export function SampleRun({ workflow, isDirty }: { workflow: AdminWorkflow; isDirty: boolean }): ReactNode {
  const navigate = useNavigate();
  const samples = useQuery(homeQuery).data?.samples ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const name = chosen ?? samples[0]?.name;
  const run = useMutation({
    mutationFn: (sample: string) =>
      call(operations.submitSample, { name: sample, workflow_id: workflow.id, is_private: true }),
    onSuccess: ({ job_id: jobId }) => navigate({ to: paths.job, params: { jobId } }),
  });
  if (name === undefined) return null;
  const why = isDirty ? 'Save it first' : workflow.enabled ? null : 'It is switched off';
  return (
    <section aria-label="Try it" className={styles.form}>
      <div className={styles.deeds}>
        <NativeSelect
          aria-label="Sample log"
          value={name}
          data={samples.map((sample) => ({ value: sample.name, label: sample.title }))}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        <Button variant="default" disabled={why !== null} loading={run.isPending} onClick={() => run.mutate(name)}>
          Run it on the sample
        </Button>
        <span className="soft">{why ?? 'As a private job of yours'}</span>
      </div>
      {run.error && <Failure error={run.error} />}
    </section>
  );
}
