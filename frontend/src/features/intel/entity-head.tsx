import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { Button, Menu, Switch } from '@mantine/core';
import { call, operations, type Entity, type Tag } from '@svc/contracts';
import { entityAttributeKey, entityAttributeMeanings, tagName } from '@svc/domain';
import { IconDownload, IconFolder, IconFolderPlus, IconPlus, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { askForCase } from '../../api/adding-to-case.ts';
import { useEntityChange } from '../../api/intel.ts';
import { tagsQuery } from '../../api/queries.ts';
import { entityLayerDownload, graphDownload, paths, stixDownload } from '../../paths.ts';
import { cx } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CopyPack } from '../../ui/copy-pack.tsx';
import { Failure } from '../../ui/form.tsx';
import { TagDot } from '../../ui/tag.tsx';
import { EntityAlerts } from './entity-alerts.tsx';
import styles from './entity-head.module.css';
import { EntityTypeMark } from './entity-types.tsx';
import { StarButton } from './star-button.tsx';

/** Characters from which on a value is no title any more. */
const longTitle = 120;

/** What it is, what its value says, and what members say of it. */
export function EntityHead({ entity, job }: { entity: Entity; job: number | undefined }) {
  const { id, value, entity_type: type } = entity;
  const tag = useEntityChange(id, ({ name, isOn }: { name: string; isOn: boolean }) =>
    isOn ? call(operations.tagEntity, { id, tag: name }) : call(operations.untagEntity, { id, tag: name }),
  );
  const allowlist = useEntityChange(id, () => call(operations.toggleAllowlist, { id }));
  const error = tag.error ?? allowlist.error;
  return (
    <header className={styles.head}>
      <Link to={paths.entities} search={{ types: [type] }} className={styles.type}>
        <EntityTypeMark type={type} />
      </Link>
      <h1 className={cx(styles.value, value.length > longTitle && styles.long)}>
        <code>{value}</code> <CopyButton text={value} what="value" /> <StarButton entity={entity} />
      </h1>
      <div className={styles.labels}>
        {entity.attribute_keys.map((key) => (
          <Attribute key={key} name={key} />
        ))}
        {entity.tags.map((one) => (
          <TagChip key={one.tag} tag={one} onRemove={() => tag.mutate({ name: one.tag, isOn: false })} />
        ))}
        {entity.cases.map((one) => (
          <Link
            key={one.id}
            to={paths.case}
            params={{ caseId: one.id }}
            className={styles.chip}
            data-hint={`In this case, which is ${one.status === 'monitoring' ? 'monitored' : one.status}`}
          >
            <IconFolder size={12} stroke={1.75} aria-label="In the case" /> {one.name}
          </Link>
        ))}
        <EntityAlerts id={id} />
        <AddTag isBusy={tag.isPending} onAdd={(name) => tag.mutate({ name, isOn: true })} />
        <Switch
          className={styles.allowlist}
          label="Allowlisted"
          data-hint="Left out of feeds and graphs; searches still find it"
          checked={entity.allowlisted}
          disabled={allowlist.isPending}
          onChange={() => allowlist.mutate(undefined)}
        />
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconFolderPlus size={12} stroke={2} />}
          onClick={() => askForCase({ entities: [id] })}
        >
          Add to case
        </Button>
        <Exports id={id} job={job} />
      </div>
      {error && <Failure error={error} />}
    </header>
  );
}

/** What other programs read of it, of one job if that is chosen. */
function Exports({ id, job }: { id: number; job: number | undefined }) {
  const scope = { hops: 1, limit: 100, ...(job !== undefined && { job }) };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconDownload size={12} stroke={2} />}
          aria-label="Export what is known of it"
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={stixDownload(id)} download>
          STIX 2.1 bundle
        </Menu.Item>
        <CopyPack read={() => call(operations.getEntityIocPack, { id })} />
        <Menu.Item component="a" href={entityLayerDownload(id, job)} download>
          ATT&CK Navigator layer
        </Menu.Item>
        <Menu.Item component="a" href={graphDownload('entities', id, scope)} download>
          Graph as GraphML
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** A computed attribute, which leads to all that have it. */
function Attribute({ name }: { name: string }) {
  const key = entityAttributeKey(name);
  if (key === null) return null;
  return (
    <Link
      to={paths.entities}
      search={{ q: `attr:${key}` }}
      className={styles.chip}
      data-hint={entityAttributeMeanings[key]}
    >
      {key}
    </Link>
  );
}

function TagChip({ tag: { tag, color }, onRemove }: { tag: Tag; onRemove: () => void }) {
  return (
    <span className={styles.chip}>
      <TagDot color={color} />
      <Link to={paths.entities} search={{ tags: [tag] }} className={styles.tag}>
        {tag}
      </Link>
      <button type="button" className={styles.remove} aria-label={`Take “${tag}” off`} onClick={onRemove}>
        <IconX size={12} stroke={2} aria-hidden="true" />
      </button>
    </span>
  );
}

/** A field for the name of a tag, with those that there are to choose from. */
function AddTag({ isBusy, onAdd }: { isBusy: boolean; onAdd: (name: string) => void }) {
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const { data: known } = useQuery({ ...tagsQuery(tagName(text ?? '')), enabled: text !== null });
  if (text === null) {
    return (
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconPlus size={12} stroke={2} />}
        onClick={() => setText('')}
      >
        Tag
      </Button>
    );
  }
  const name = tagName(text);
  return (
    <form
      className={styles.adding}
      onSubmit={(event) => {
        event.preventDefault();
        if (name === '') return;
        onAdd(name);
        setText(null);
      }}
    >
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it came because somebody asked for it
        autoFocus
        className={styles.field}
        value={text}
        list={`${id}-tags`}
        aria-label="Name of a tag"
        placeholder="Name of a tag"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && setText(null)}
      />
      <datalist id={`${id}-tags`}>
        {known?.map(({ tag }) => (
          <option key={tag} value={tag}>
            {tag}
          </option>
        ))}
      </datalist>
      <Button type="submit" variant="default" size="compact-xs" disabled={name === ''} loading={isBusy}>
        Add
      </Button>
    </form>
  );
}
