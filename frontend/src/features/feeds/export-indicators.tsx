import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { allJobsLayerDownload, feedDownload, type FeedQuestion } from '../../paths.ts';

const formats = [
  ['csv', 'Table (CSV)'],
  ['json', 'JSON'],
  ['stix', 'STIX 2.1 bundle'],
  ['misp', 'MISP event'],
] as const;

/** What a search finds, for other programs, and the techniques of all jobs. */
export function ExportIndicators({ asked }: { asked: FeedQuestion }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={14} stroke={1.75} aria-hidden="true" />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(([format, label]) => (
          <Menu.Item key={format} component="a" href={feedDownload(format, asked)} download>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component="a" href={allJobsLayerDownload} download>
          ATT&CK layer of all jobs
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
