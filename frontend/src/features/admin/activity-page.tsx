import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Button, Menu, TextInput } from '@mantine/core';
import { operations } from '@svc/contracts';
import type { ActivityCategory } from '@svc/domain';
import { IconDownload, IconHistory, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { activityQuery } from '../../api/admin.ts';
import { callConfirmed } from '../../api/confirm-password.ts';
import { invalidate } from '../../api/query-client.ts';
import { queryKey } from '../../api/query-key.ts';
import { activityDownload, paths } from '../../paths.ts';
import { Choice } from '../../ui/choice.tsx';
import { DialogButtons } from '../../ui/dialog-buttons.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { fieldText } from '../../ui/form-fields.ts';
import { Form } from '../../ui/form.tsx';
import { count, counted } from '../../ui/format.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { PartPager } from '../../ui/pager.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState, ErrorState, Notice, Skeleton } from '../../ui/states.tsx';
import styles from './activity-page.module.css';
import { ActivityTable } from './activity-table.tsx';
import { activityView, type ActivityView } from './activity-view.ts';

const route = getRouteApi(paths.activity);

const categories: Readonly<Record<ActivityCategory, string>> = {
  auth: 'Sign-ins',
  admin: 'Administration',
  job: 'Jobs',
  discussion: 'Discussions',
  intel: 'Intel',
  export: 'Exports',
};
const outcomes = { success: 'Done', failure: 'Failed', denied: 'Denied' } as const;
const ranges = { '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days', '90d': 'Last 90 days' } as const;
const any = 'any';

/** What people have done, for administrators. */
export function ActivityPage(): ReactNode {
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const [isPruning, setPruning] = useState(false);
  const { data, error, refetch } = useQuery(activityQuery(view));
  const change = (changed: { readonly [K in keyof ActivityView]?: ActivityView[K] | undefined }) =>
    void navigate({ search: (now) => activityView({ ...now, page: undefined, ...changed }), resetScroll: false });
  const choose = (name: 'category' | 'outcome' | 'range') => (value: string) =>
    change({ [name]: value === any ? undefined : value });
  const { page: _page, ...narrowed } = view;
  const isNarrowed = Object.keys(narrowed).length > 0;
  return (
    <>
      <title>Activity · svc</title>
      <PageHead title="Activity" total={data?.total}>
        {data && data.total > 0 && (
          <Button
            variant="default"
            leftSection={<IconTrash size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => setPruning(true)}
          >
            Remove old rows
          </Button>
        )}
        <Exports view={narrowed} />
      </PageHead>
      {data?.capture_enabled === false && (
        <Notice tone="info">
          Nothing is recorded now. <Link to={paths.settings}>Switch the activity log on in the settings</Link>
          {data.total > 0 && '; what was recorded before stays here'}.
        </Notice>
      )}
      <div className={styles.filters}>
        <SearchField
          isMain
          label="Search the summary, address or request"
          placeholder="Summary, address or request"
          value={view.q ?? ''}
          onChange={(q) => change({ q: q === '' ? undefined : q })}
        />
        <SearchField
          label="Who did it"
          placeholder="Who"
          value={view.actor ?? ''}
          onChange={(actor) => change({ actor: actor === '' ? undefined : actor })}
        />
        <Choice
          label="Kind"
          value={view.category ?? any}
          options={[[any, 'Any kind'], ...Object.entries(categories)]}
          onChange={choose('category')}
        />
        <Choice
          label="Outcome"
          value={view.outcome ?? any}
          options={[[any, 'Any outcome'], ...Object.entries(outcomes)]}
          onChange={choose('outcome')}
        />
        <Choice
          label="When"
          value={view.range ?? any}
          options={[[any, 'Any time'], ...Object.entries(ranges)]}
          onChange={choose('range')}
        />
        {view.action !== undefined && (
          <FilterChip text={`action:${view.action}`} onRemove={() => change({ action: undefined })} />
        )}
        {view.target !== undefined && (
          <FilterChip text={`target:${view.target}`} onRemove={() => change({ target: undefined })} />
        )}
      </div>
      {data === undefined && error ? (
        <ErrorState what="The activity log cannot be read" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={420} />
      ) : data.events.length === 0 ? (
        <EmptyState
          icon={IconHistory}
          title={isNarrowed ? 'Nothing like this was recorded' : 'Nothing was recorded yet'}
        >
          {isNarrowed
            ? 'Take a filter away to see other rows.'
            : 'Sign-ins, changes of accounts and settings, what happens to jobs and in Intel, and every export have a row here once the log is on.'}
        </EmptyState>
      ) : (
        <>
          <ActivityTable events={data.events} onNarrow={change} />
          <div className={styles.foot}>
            <span className="faint">
              {counted(data.last_hour, 'row')} in the last hour ·{' '}
              {data.retention_days === 0 ? 'kept for ever' : `kept for ${count(data.retention_days)} days`}
            </span>
            <PartPager part={data} rows={data.events.length} onPage={(page) => change({ page })} />
          </div>
        </>
      )}
      {isPruning && <Prune onClose={() => setPruning(false)} />}
    </>
  );
}

function Exports({ view }: { view: ActivityView }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={activityDownload('export.csv', { ...view })} download>
          These rows as CSV
        </Menu.Item>
        <Menu.Item component="a" href={activityDownload('export.json', { ...view })} download>
          These rows as JSON
        </Menu.Item>
        <Menu.Item
          component="a"
          href={activityDownload('heads.json', {})}
          download="activity-heads.json"
          data-hint="Kept elsewhere, they prove later that no row was changed: svc admin verify-activity --heads FILE"
        >
          Ends of the chains
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Asks from what age on rows are removed at once. */
function Prune({ onClose }: { onClose: () => void }) {
  const prune = useMutation({
    mutationFn: (form: FormData) => callConfirmed(operations.pruneActivity, { days: fieldText(form, 'days') }),
    onSuccess: () => invalidate(queryKey(operations.listActivity)),
  });
  if (prune.data) {
    return (
      <Dialog title="Old rows were removed" onClose={onClose}>
        <p className="soft">{counted(prune.data.removed, 'row')} went. That they did is a row of its own.</p>
        <Button onClick={onClose}>Close</Button>
      </Dialog>
    );
  }
  return (
    <Dialog title="Remove old rows" onClose={onClose}>
      <p className="soft">Whole days go, and do not come back; the ends of their chains stay.</p>
      <Form
        error={prune.error}
        onSubmit={(form) => prune.mutate(form)}
        actions={<DialogButtons dangerous words="Remove them" pending={prune.isPending} onClose={onClose} />}
      >
        <TextInput
          label="Older than, in days"
          name="days"
          defaultValue="90"
          inputMode="numeric"
          pattern="[1-9][0-9]{0,4}"
          required
          withAsterisk={false}
          autoComplete="off"
        />
      </Form>
    </Dialog>
  );
}
