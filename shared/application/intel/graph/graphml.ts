import type { EntityGraph } from '@svc/contracts';
import { edgeMeaning, entityTypes, graphFlags, graphSubtypes } from '@svc/domain';

/** Attributes of nodes and edges with their types (resolved-intel 7.10). */
const keys = {
  node: {
    label: 'string',
    entity_type: 'string',
    subtype: 'string',
    watchlist: 'boolean',
    allowlisted: 'boolean',
    job_count: 'int',
    focal: 'boolean',
  },
  edge: { kind: 'string', weight: 'long', rel_type: 'string', directed: 'boolean' },
} as const;

/**
 * A graph as GraphML, in which typed edges are directed and those of what is named together are not. Where edges of both
 * sorts may not be mixed, as networkx has it, all are written as directed, and `directed` says which are meant so.
 */
export function graphml({ n, e }: EntityGraph, isMixed: boolean): string {
  const declared = (['node', 'edge'] as const).flatMap((of) =>
    Object.entries(keys[of]).map(
      ([name, type]) => `<key id="${of}_${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>`,
    ),
  );
  const nodes = n.id.map((id, place) => {
    const flags = n.fl[place]!;
    const subtype = n.sub[place]! > 0 ? graphSubtypes[n.sub[place]! - 1] : undefined;
    return element('node', `id="e${id}"`, {
      label: n.lb[place]!,
      entity_type: entityTypes[n.ty[place]!]!,
      subtype,
      watchlist: (flags & graphFlags.watchlist) > 0,
      allowlisted: (flags & graphFlags.allowlisted) > 0,
      job_count: n.jc[place]!,
      focal: (flags & graphFlags.focal) > 0,
    });
  });
  const edges = e.s.map((source, place) => {
    const { kind, type } = edgeMeaning(e.k[place]!);
    const [from, to] = [n.id[source]!, n.id[e.t[place]!]!];
    const isDirected = kind === 'typed';
    const ends = `id="${type ?? kind}-${from}-${to}" source="e${from}" target="e${to}"`;
    return element('edge', isMixed && isDirected ? `${ends} directed="true"` : ends, {
      kind,
      weight: e.w[place]!,
      rel_type: type ?? undefined,
      directed: isDirected,
    });
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...declared,
    `<graph id="G" edgedefault="${isMixed ? 'undirected' : 'directed'}">`,
    ...nodes,
    ...edges,
    '</graph>',
    '</graphml>',
    '',
  ].join('\n');
}

function element(
  of: 'node' | 'edge',
  attributes: string,
  values: Readonly<Record<string, string | number | boolean | undefined>>,
): string {
  const data = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`<data key="${of}_${name}">${text(String(value))}</data>`],
  );
  return `<${of} ${attributes}>${data.join('')}</${of}>`;
}

/** Text without what XML 1.0 has no way to write. */
function text(value: string): string {
  return (
    value
      // oxlint-disable-next-line no-control-regex -- these are what XML refuses
      .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\p{Surrogate}]/gu, '')
      .replace(/[&<>\r]/g, (sign) => `&#${sign.codePointAt(0)};`)
  );
}
