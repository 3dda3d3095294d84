import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { ActionIcon, Menu } from '@mantine/core';
import type { JobDetail } from '@svc/contracts';
import { isTerminal } from '@svc/domain';
import {
  IconArrowsExchange,
  IconCalculator,
  IconDots,
  IconDownload,
  IconFileZip,
  IconFolder,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { askForCase } from '../../api/adding-to-case.ts';
import { useMe } from '../../api/session.ts';
import { analyticsDownload, fileDownload, paths, rawDownload } from '../../paths.ts';
import { lazy } from '../../ui/lazy.ts';
import { Notice, reasonOf } from '../../ui/states.tsx';
import { useJobView } from './use-job-view.ts';
import { useRecalculate } from './use-recalculate.ts';
import { useResubmit } from './use-resubmit.ts';

const DeleteJob = lazy(async () => ({ default: (await import('./delete-job.tsx')).DeleteJob }));
const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** What the viewer may do with a job beyond reading it; nothing where that is nothing. */
export function JobActions({ job }: { job: JobDetail }) {
  const role = useMe()?.role;
  const isAdmin = role === 'admin';
  const isMember = isAdmin || role === 'member';
  const resubmit = useResubmit(job);
  const [, change] = useJobView();
  const recalculate = useRecalculate(job.job_id);
  const [deleting, setDeleting] = useState(false);
  const id = job.job_id;
  if (!isTerminal(job.status) && !job.can_resubmit && !job.can_delete && !isMember) return null;
  const refused = resubmit.error ?? recalculate.error;
  return (
    <>
      {refused !== null && <Notice tone="bad">{reasonOf(refused)}</Notice>}
      <Menu position="bottom-end" width={240} offset={6} transitionProps={{ duration: 100 }}>
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More actions" data-hint="More actions">
            <IconDots size={18} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isTerminal(job.status) && (
            <Menu.Item
              leftSection={<IconArrowsExchange {...icon} />}
              renderRoot={(props) => <Link to={paths.compare} search={{ a: id }} {...props} />}
            >
              Compare with another job
            </Menu.Item>
          )}
          {isMember && (
            <Menu.Item leftSection={<IconFolder {...icon} />} onClick={() => askForCase({ jobs: [id] })}>
              Add to case…
            </Menu.Item>
          )}
          {job.can_resubmit && (
            <Menu.Item
              leftSection={<IconRefresh {...icon} />}
              disabled={resubmit.isPending}
              onClick={() => resubmit.mutate()}
            >
              {job.rules?.newer === true ? 'Re-run with newer rules' : 'Analyse again'}
            </Menu.Item>
          )}
          {isAdmin && (
            <>
              <Menu.Item
                leftSection={<IconCalculator {...icon} />}
                disabled={!isTerminal(job.status) || recalculate.isPending}
                onClick={() => recalculate.mutate(undefined, { onSuccess: () => change({ view: 'raw' }) })}
              >
                Recalculate analytics
              </Menu.Item>
              <Menu.Item component="a" href={fileDownload(id)} leftSection={<IconDownload {...icon} />}>
                Download original file
              </Menu.Item>
              <Menu.Item component="a" href={rawDownload(id)} leftSection={<IconFileZip {...icon} />}>
                Raw outputs as ZIP
              </Menu.Item>
              <Menu.Item component="a" href={analyticsDownload(id)} leftSection={<IconDownload {...icon} />}>
                Analytics as JSON
              </Menu.Item>
            </>
          )}
          {job.can_delete && (
            <>
              <Menu.Divider />
              <Menu.Item color="red" leftSection={<IconTrash {...icon} />} onClick={() => setDeleting(true)}>
                Delete…
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {deleting && (
        <Suspense>
          <DeleteJob job={job} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </>
  );
}
