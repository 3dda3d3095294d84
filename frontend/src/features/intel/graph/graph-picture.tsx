import { createNodeBorderProgram } from '@sigma/node-border';
import { MultiDirectedGraph } from 'graphology';
import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { Sigma } from 'sigma';
import { EdgeLineProgram } from 'sigma/rendering';
import { Notice } from '../../../ui/states.tsx';
import { dragPicture, manyEdges } from './drag-picture.ts';
import { faded } from './faded.ts';
import { nodeColor, type GraphTheme, type Lens } from './graph-looks.ts';
import type { GraphEdge, GraphNode } from './graph-model.ts';
import styles from './entity-graph.module.css';
import type { Arranged } from './use-arranged.ts';

export interface GraphPictureHandle {
  /** Brings a node that is out of sight to the middle. */
  readonly show: (id: number) => void;
  readonly fit: () => void;
  readonly zoom: (isIn: boolean) => void;
  /** The picture as it stands, this many times as fine. */
  readonly image: (scale: number) => Promise<Blob | null>;
}

interface GraphPictureProps {
  readonly ref: Ref<GraphPictureHandle>;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly arranged: Arranged;
  readonly theme: GraphTheme;
  readonly lens: Lens;
  readonly focal: number | null;
  readonly selected: number | null;
  /** All others are drawn faintly; null for none. */
  readonly lit: ReadonlySet<number> | null;
  /** Edges of the path that is shown. */
  readonly path: ReadonlySet<string> | null;
  readonly onSelect: (id: number | null) => void;
  readonly onOpen: (id: number) => void;
}

const RingedNode = createNodeBorderProgram({
  borders: [
    { size: { attribute: 'ring', defaultValue: 0, mode: 'relative' }, color: { attribute: 'ringColor' } },
    { size: { fill: true }, color: { attribute: 'color' } },
  ],
});

/** The picture of a graph, drawn by WebGL; what it shows is also in the list beside it. */
export function GraphPicture({ ref, ...props }: GraphPictureProps) {
  const place = useRef<HTMLDivElement>(null);
  const sigma = useRef<Sigma | null>(null);
  const [isMissing] = useState(() => !hasWebgl());
  const { nodes, edges, arranged, theme, lens, focal, selected, lit, path, onSelect, onOpen } = props;
  const handlers = useRef({ onSelect, onOpen });
  useEffect(() => {
    handlers.current = { onSelect, onOpen };
  });

  useEffect(() => {
    if (place.current === null) return;
    const drawn = new Sigma(new MultiDirectedGraph(), place.current, {
      nodeProgramClasses: { ringed: RingedNode },
      edgeProgramClasses: { thin: EdgeLineProgram },
      defaultNodeType: 'ringed',
      defaultEdgeType: 'line',
      zIndex: true,
      labelFont: 'system-ui, sans-serif',
      labelSize: 12,
      labelDensity: 0.6,
      labelRenderedSizeThreshold: 7,
      minCameraRatio: 0.02,
      maxCameraRatio: 4,
      stagePadding: 40,
      allowInvalidContainer: true,
    });
    sigma.current = drawn;
    const undrag = dragPicture(drawn, place.current);
    drawn.on('clickNode', ({ node }) => handlers.current.onSelect(Number(node)));
    drawn.on('doubleClickNode', (event) => {
      event.preventSigmaDefault();
      handlers.current.onOpen(Number(event.node));
    });
    drawn.on('clickStage', () => handlers.current.onSelect(null));
    drawn.on('enterNode', () => drawn.getContainer().classList.add(styles.pointing!));
    drawn.on('leaveNode', () => drawn.getContainer().classList.remove(styles.pointing!));
    return () => {
      undrag();
      sigma.current?.kill();
      sigma.current = null;
    };
  }, []);

  useEffect(() => {
    const drawn = sigma.current;
    if (drawn === null || arranged.places.size === 0) return;
    const graph = new MultiDirectedGraph();
    const most = Math.max(...arranged.ranks.values());
    for (const node of nodes) {
      const at = arranged.places.get(node.id);
      if (at === undefined) continue;
      const isLit = lit === null || lit.has(node.id);
      const isWorst = node.severity === 'critical' || node.severity === 'high';
      const ringColor =
        node.id === selected
          ? theme.accent
          : node.id === focal || node.isWatched
            ? theme.ring
            : theme.token(`${node.severity ?? 'low'}-fill`);
      const hasRing = node.id === selected || node.id === focal || node.isWatched || isWorst;
      const weight = Math.sqrt((arranged.ranks.get(node.id) ?? 0) / most);
      graph.addNode(String(node.id), {
        x: at[0],
        y: at[1],
        size: (node.id === focal ? 9 : 4) + 7 * weight,
        color: isLit ? nodeColor(node, lens, theme, arranged.communities.get(node.id)) : theme.token('line'),
        ring: hasRing && isLit ? 0.28 : 0,
        ringColor,
        label: isLit ? node.label : '',
        forceLabel: node.id === selected || node.id === focal,
        zIndex: node.id === selected ? 3 : isLit ? 2 : 1,
      });
    }
    // A picture that another follows is drawn in a sixth of the time: the next one has widths and arrows.
    const isThin = !arranged.isFinal && edges.length > manyEdges;
    for (const edge of edges) {
      const [source, target] = [String(edge.source), String(edge.target)];
      if (!graph.hasNode(source) || !graph.hasNode(target)) continue;
      const isLit = path
        ? path.has(edge.key)
        : selected === null
          ? lit === null || (lit.has(edge.source) && lit.has(edge.target))
          : edge.source === selected || edge.target === selected;
      graph.addEdgeWithKey(edge.key, source, target, {
        type: isThin ? 'thin' : edge.kind === 'typed' ? 'arrow' : 'line',
        size: isLit && (path || selected !== null) ? 2.5 : 1 + Math.min(1.5, Math.log10(1 + edge.weight) / 3),
        color: !isLit
          ? theme.token('line')
          : path || selected !== null
            ? theme.edges[edge.kind]
            : faded(theme.edges[edge.kind], theme.ground),
        zIndex: isLit ? 1 : 0,
      });
    }
    drawn.setSettings({ labelColor: { color: theme.text } });
    drawn.setGraph(graph);
    place.current?.setAttribute('data-drawn', String(graph.order));
    place.current?.setAttribute('data-arranged', String(arranged.isFinal));
  }, [nodes, edges, arranged, theme, lens, focal, selected, lit, path]);

  useImperativeHandle(ref, () => ({
    show: (id) => {
      const drawn = sigma.current;
      const at = drawn?.getNodeDisplayData(String(id));
      if (!drawn || !at) return;
      const { x, y } = drawn.framedGraphToViewport(at);
      const { width, height } = drawn.getDimensions();
      if (x < 0 || y < 0 || x > width || y > height) drawn.getCamera().setState({ x: at.x, y: at.y });
    },
    fit: () => sigma.current?.getCamera().setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }),
    zoom: (isIn) => {
      const camera = sigma.current?.getCamera();
      camera?.setState({ ratio: camera.getBoundedRatio(camera.ratio * (isIn ? 0.7 : 1.4)) });
    },
    image: async (scale) => (sigma.current ? pictureOf(sigma.current, scale, theme.ground) : null),
  }));

  if (isMissing) return <Notice tone="info">This browser has no WebGL; the list has all of the graph.</Notice>;
  // What it shows is in the list, which can be read and reached by keyboard.
  return <div ref={place} className={styles.picture} aria-hidden="true" />;
}

function hasWebgl(): boolean {
  const canvas = document.createElement('canvas');
  return (canvas.getContext('webgl2') ?? canvas.getContext('webgl')) !== null;
}

/** Draws the same once more, on layers of its own whose pixels can be read, and puts these on one another. */
async function pictureOf(sigma: Sigma, scale: number, ground: string): Promise<Blob | null> {
  const { width, height } = sigma.getDimensions();
  const stage = document.createElement('div');
  stage.style.cssText = `position:fixed;left:-99999px;width:${width * scale}px;height:${height * scale}px`;
  document.body.append(stage);
  const settings = sigma.getSettings();
  const drawn = new Sigma(sigma.getGraph(), stage, {
    ...settings,
    labelSize: settings.labelSize * scale,
    // Nodes and edges grow with what they are drawn on.
    zoomToSizeRatioFunction: (ratio) => settings.zoomToSizeRatioFunction(ratio) / scale,
  });
  drawn.getCamera().setState(sigma.getCamera().getState());
  drawn.setCustomBBox(sigma.getCustomBBox());
  // Pixels of WebGL are gone after the frame that has drawn them.
  drawn.refresh();
  const canvas = document.createElement('canvas');
  const layers = Object.values(drawn.getCanvases());
  canvas.width = layers[0]!.width;
  canvas.height = layers[0]!.height;
  const on = canvas.getContext('2d')!;
  on.fillStyle = ground;
  on.fillRect(0, 0, canvas.width, canvas.height);
  for (const layer of layers) on.drawImage(layer, 0, 0);
  drawn.kill();
  stage.remove();
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
