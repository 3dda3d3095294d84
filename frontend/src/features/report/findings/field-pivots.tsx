import '@mantine/core/styles/Menu.layer.css';
import { Menu } from '@mantine/core';
import { IconBinaryTree, IconFileSearch, IconListSearch, IconTargetArrow } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import { useReport } from '../../../api/report-source.ts';
import { paths } from '../../../paths.ts';
import { cx } from '../../../ui/class-names.ts';
import copyStyles from '../../../ui/copy-button.module.css';
import type { PivotsProps } from '../../../ui/matched-event/matched-event-card.tsx';
import type { ReportView } from '../job-view.ts';
import { pivotsOf } from './pivots.ts';
import { useJobView } from '../use-job-view.ts';

const ShownViews = createContext<readonly string[]>([]);

/** Around the parts of a report: which of them there are to lead to. */
export const ShownViewsProvider = ShownViews.Provider;

/** From a value of an event to where else the report has it. */
export function FieldPivots(props: PivotsProps) {
  const shown = useContext(ShownViews);
  return shown.length === 0 ? null : <PivotMenu {...props} shown={shown} />;
}

function PivotMenu({ name, text, className, shown }: PivotsProps & { readonly shown: readonly string[] }) {
  const [, change] = useJobView();
  const { jobId } = useReport();
  const { processes, entities, jobs } = pivotsOf(text);
  const show = (view: ReportView, find: string) => change({ view, find });
  const items = [
    processes !== null && shown.includes('processes') && (
      <Menu.Item
        key="processes"
        leftSection={<IconBinaryTree size={15} />}
        onClick={() => show('processes', processes)}
      >
        Find in the process tree
      </Menu.Item>
    ),
    entities !== null && shown.includes('entities') && (
      <Menu.Item key="entities" leftSection={<IconListSearch size={15} />} onClick={() => show('entities', entities)}>
        Find among the entities
      </Menu.Item>
    ),
    // A report of this window alone would end with the page.
    jobs !== null && jobId !== null && (
      <Menu.Item
        key="jobs"
        leftSection={<IconFileSearch size={15} />}
        renderRoot={(root) => <Link to={paths.jobs} search={{ q: jobs }} {...root} />}
      >
        {jobs.startsWith('sha256:') ? 'Search jobs with this file' : 'Search jobs by file name'}
      </Menu.Item>
    ),
  ].filter(Boolean);
  if (items.length === 0) return null;
  return (
    <Menu position="bottom-end" width={220} offset={4} transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <button
          type="button"
          className={cx(copyStyles.copy, className)}
          aria-label={`Follow ${name}`}
          data-hint={`Follow ${name}`}
        >
          <IconTargetArrow size={14} stroke={2} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>{items}</Menu.Dropdown>
    </Menu>
  );
}
