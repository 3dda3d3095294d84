import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import { Button, Menu } from '@mantine/core';
import { call, operations, type CaseDetails } from '@svc/contracts';
import { caseExportLimits } from '@svc/domain';
import { IconDownload } from '@tabler/icons-react';
import { caseDownload, graphDownload } from '../../paths.ts';
import { CopyPack } from '../../ui/copy-pack.tsx';
import { count, counted } from '../../ui/format.ts';

/** Downloads of the case for other programs; of a very large one also all of it. */
export function CaseExports({ of: { id, entity_count: entities } }: { of: CaseDetails }) {
  const isLong = entities > caseExportLimits.entities;
  return (
    <Menu position="bottom-end" width={260} offset={6} transitionProps={{ duration: 100 }}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.75} aria-hidden="true" />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isLong && <Menu.Label>The first {count(caseExportLimits.entities)} entities</Menu.Label>}
        <Menu.Item component="a" href={caseDownload(id, 'stix', false)} download>
          STIX 2.1 bundle
        </Menu.Item>
        <Menu.Item component="a" href={caseDownload(id, 'misp', false)} download>
          MISP event
        </Menu.Item>
        <CopyPack read={() => call(operations.getCaseIocPack, { id })} />
        <Menu.Item component="a" href={graphDownload('cases', id, {})} download>
          Graph as GraphML
        </Menu.Item>
        {isLong && (
          <>
            <Menu.Label>All {counted(entities, 'entity', 'entities')}</Menu.Label>
            <Menu.Item component="a" href={caseDownload(id, 'stix', true)} download>
              STIX 2.1 bundle, whole
            </Menu.Item>
            <Menu.Item component="a" href={caseDownload(id, 'misp', true)} download>
              MISP event, whole
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
