import { useLayoutEffect, useMemo, useRef } from 'react';
import styles from './markdown.module.css';
import { Plain } from './plain.tsx';
import { renderMarkdown } from './render-markdown.ts';

/** `Written` as Markdown, once its parser is here. */
export function MarkdownBody({ text }: { text: string }) {
  const body = useRef<HTMLDivElement>(null);
  const nodes = useMemo(() => renderMarkdown(text), [text]);
  // As elements, since text would be parsed a second time.
  useLayoutEffect(() => body.current?.replaceChildren(...(nodes ?? [])), [nodes]);
  return nodes === null ? <Plain text={text} /> : <div ref={body} className={styles.markdown} />;
}
