import { useLayoutEffect, useRef } from 'react';
import styles from './markdown.module.css';
import { renderMarkdown } from './render-markdown.ts';

/** `Written` as Markdown, once its parser is here. */
export function MarkdownBody({ text }: { text: string }) {
  const body = useRef<HTMLDivElement>(null);
  // As elements, since text would be parsed a second time.
  useLayoutEffect(() => body.current?.replaceChildren(renderMarkdown(text)), [text]);
  return <div ref={body} className={styles.markdown} />;
}
