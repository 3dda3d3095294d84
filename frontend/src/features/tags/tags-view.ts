export const tagSortings = ['name', 'count', 'recent'] as const;
export type TagSorting = (typeof tagSortings)[number];

/** State of the list of tags in its address. */
export interface TagsView {
  /** Part of a name. */
  readonly q?: string;
  /** Other than by name, where the names of a namespace stand together. */
  readonly sort?: Exclude<TagSorting, 'name'>;
  readonly page?: number;
}

/** Reads the address; values that make no sense are dropped. */
export function tagsView(search: Record<string, unknown>): TagsView {
  const q = typeof search['q'] === 'string' ? search['q'].trim() : '';
  const [sort, page] = [tagSortings.find((one) => one === search['sort']), Number(search['page'])];
  return {
    ...(q !== '' && { q }),
    ...(sort !== undefined && sort !== 'name' && { sort }),
    ...(Number.isSafeInteger(page) && page > 1 && { page }),
  };
}

interface Named {
  readonly tag: string;
}

/** What stands in a line of the list: a namespace, or a tag with the part of its name that is to be read. */
export type TagLine<T extends Named> =
  | { readonly kind: 'namespace'; readonly name: string; readonly tags: number }
  | { readonly kind: 'tag'; readonly tag: T; readonly namespace: string | null; readonly rest: string };

/** Tags as they come, each below a line of its own for the namespace, which is what stands before the first slash. */
export function grouped<T extends Named>(tags: readonly T[]): TagLine<T>[] {
  const groups = new Map<string, T[]>();
  for (const tag of tags) {
    // A name that ends with its only slash has nothing after it to be read.
    const namespace = namespaceOf(tag.tag);
    const key = namespace === null ? ` ${tag.tag}` : namespace;
    groups.set(key, [...(groups.get(key) ?? []), tag]);
  }
  return [...groups].flatMap(([name, of]): TagLine<T>[] => {
    const lines = flat(of);
    return name.startsWith(' ') ? lines : [{ kind: 'namespace', name, tags: of.length }, ...lines];
  });
}

/** Tags as they come. */
export function flat<T extends Named>(tags: readonly T[]): Extract<TagLine<T>, { kind: 'tag' }>[] {
  return tags.map((tag) => {
    const namespace = namespaceOf(tag.tag);
    return { kind: 'tag', tag, namespace, rest: namespace === null ? tag.tag : tag.tag.slice(namespace.length) };
  });
}

/** With its slash; null for a name without one. */
function namespaceOf(name: string): string | null {
  const slash = name.indexOf('/');
  return slash > 0 && slash < name.length - 1 ? name.slice(0, slash + 1) : null;
}
