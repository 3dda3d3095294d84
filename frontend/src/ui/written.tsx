import { Suspense } from 'react';
import { Contained } from './contained.tsx';
import { lazy } from './lazy.ts';
import { Plain } from './plain.tsx';

const MarkdownBody = lazy(async () => ({ default: (await import('./markdown-body.tsx')).MarkdownBody }));

/** What a person wrote: as Markdown, or just as it was written. */
export function Written({ text, markdown }: { text: string; markdown: boolean }) {
  const plain = <Plain text={text} />;
  if (!markdown) return plain;
  return (
    <Contained key={text} fallback={plain}>
      <Suspense fallback={plain}>
        <MarkdownBody text={text} />
      </Suspense>
    </Contained>
  );
}
