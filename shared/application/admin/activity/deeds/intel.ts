import { many, namesOfTags, targets, type Tellers } from './teller.ts';

/** Of entities and tags. */
export const intelDeeds = {
  toggleAllowlist: ({ input: { id }, output: { allowlisted } }) => ({
    action: 'intel.entity.allowlist',
    target: targets.entity(id),
    summary: allowlisted ? 'Allowlisted an entity' : 'Took an entity off the allowlist',
    metadata: { value: allowlisted },
  }),
  allowlistEntities: ({ input: { value }, output: { changed } }) => ({
    action: 'intel.entity.allowlist',
    summary: value
      ? `Allowlisted ${many(changed, 'entity', 'entities')}`
      : `Took ${many(changed, 'entity', 'entities')} off the allowlist`,
    metadata: { value, count: changed },
  }),
  uniteEntities: ({ input: { id, entity_ids: ids } }) => ({
    action: 'intel.entity.alias',
    target: targets.entity(id),
    summary: 'Said that entities are the same',
    metadata: { count: ids.length },
  }),
  separateEntity: ({ input: { id } }) => ({
    action: 'intel.entity.alias',
    target: targets.entity(id),
    summary: 'Said that an entity is not the same as others',
  }),
  writeEntityNote: ({ input: { id } }) => ({
    action: 'intel.entity.note',
    target: targets.entity(id),
    summary: 'Wrote the note on an entity',
  }),
  tagEntity: ({ input: { id, tag } }) => ({
    action: 'intel.tag.add',
    target: targets.entity(id),
    summary: `Tagged an entity ${namesOfTags(tag)}`,
    metadata: { tag },
  }),
  untagEntity: ({ input: { id, tag } }) => ({
    action: 'intel.tag.remove',
    target: targets.entity(id),
    summary: `Took ${namesOfTags(tag)} off an entity`,
    metadata: { tag },
  }),
  tagEntities: ({ input: { tag }, output: { links } }) => ({
    action: 'intel.tag.add',
    summary: `Tagged entities ${namesOfTags(tag)}`,
    metadata: { tag, count: links },
  }),
  untagEntities: ({ input: { tag }, output: { removed } }) => ({
    action: 'intel.tag.remove',
    summary: `Took ${namesOfTags(tag)} off entities`,
    metadata: { tag, count: removed },
  }),
  lookUpEntities: null,
  createTags: ({ output: { created } }) =>
    created.length === 0
      ? null
      : { action: 'intel.tag.create', summary: `Created ${many(created.length, 'tag')}`, metadata: { tags: created } },
  renameTag: ({ input: { tag }, output }) => ({
    action: 'intel.tag.rename',
    target: ['tag', tag],
    summary: `Renamed the tag ${tag} to ${output.tag}`,
    metadata: { to: output.tag, moved: output.moved },
  }),
  mergeTags: ({ input: { tag }, output }) => ({
    action: 'intel.tag.merge',
    target: ['tag', tag],
    summary: `Merged the tag ${tag} into ${output.tag}`,
    metadata: { into: output.tag, moved: output.moved },
  }),
  recolorTag: ({ input: { tag }, output: { color } }) => ({
    action: 'intel.tag.recolor',
    target: ['tag', tag],
    summary: `Gave the tag ${tag} another colour`,
    metadata: { color },
  }),
  deleteTag: ({ input: { tag }, output: { removed } }) => ({
    action: 'intel.tag.delete_everywhere',
    target: ['tag', tag],
    summary: `Deleted the tag ${tag} everywhere`,
    metadata: { count: removed },
  }),
} satisfies Partial<Tellers>;
