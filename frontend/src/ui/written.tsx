import { lazy, Suspense } from 'react';
import styles from './markdown.module.css';

const MarkdownBody = lazy(async () => ({ default: (await import('./markdown-body.tsx')).MarkdownBody }));

/** What a person wrote: as Markdown, or just as it was written. */
export function Written({ text, markdown }: { text: string; markdown: boolean }) {
  const plain = <p className={styles.plain}>{text}</p>;
  if (!markdown) return plain;
  return (
    <Suspense fallback={plain}>
      <MarkdownBody text={text} />
    </Suspense>
  );
}
