import { useComputedColorScheme } from '@mantine/core';
import { IconBook2 } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { paths } from '../../../paths.ts';
import { SearchField } from '../../../ui/search-field.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Block } from './blocks.ts';
import { chapters, exampleAddress } from './chapters.ts';
import styles from './guide-page.module.css';
import { pictureFile, pictures, pictureWidth, type PictureName } from './pictures.ts';
import { searchChapters } from './search-chapters.ts';

const route = getRouteApi(paths.guide);
const images = import.meta.glob<string>('./images/*.webp', { eager: true, query: '?url', import: 'default' });

/** The guide: a few short chapters, and a search over them. */
export function GuidePage() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const found = searchChapters(chapters, q);
  return (
    <div className={styles.page}>
      <title>Guide · svc</title>
      <nav aria-label="Chapters" className={styles.contents}>
        <SearchField
          label="Search the guide"
          placeholder="Search the guide"
          value={q}
          isMain
          onChange={(value) =>
            void navigate({ search: value === '' ? {} : { q: value }, replace: true, resetScroll: false })
          }
        />
        <ul>
          {found.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.chapters}>
        <h1 className={styles.title}>Guide</h1>
        {found.length === 0 && (
          <EmptyState icon={IconBook2} title={`Nothing in the guide about “${q}”`}>
            Try another word.
          </EmptyState>
        )}
        {found.map(({ id, title, blocks }) => (
          <section key={id} id={id} className={styles.chapter}>
            <h2>{title}</h2>
            {blocks.map((block) => (
              <BlockView key={JSON.stringify(block)} block={block} />
            ))}
          </section>
        ))}
      </div>
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case 'text':
      return (
        <p>
          <Words text={block.text} />
        </p>
      );
    case 'code':
      return <pre className={styles.code}>{block.text.replaceAll(exampleAddress, window.location.origin)}</pre>;
    case 'list':
      return (
        <ul className={styles.list}>
          {block.items.map((item) => (
            <li key={item}>
              <Words text={item} />
            </li>
          ))}
        </ul>
      );
    case 'table':
      return <Table rows={block.rows} />;
    case 'picture':
      return <PictureView name={block.name} />;
    default:
      return block satisfies never;
  }
}

function Table({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className={styles.table}>
      {rows.map(([name, meaning]) => (
        <div key={name}>
          <dt>
            <Words text={name} />
          </dt>
          <dd>
            <Words text={meaning} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The picture in the theme in use, which leads to itself in full size. */
function PictureView({ name }: { name: PictureName }) {
  const theme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  const { alt, caption, height } = pictures[name];
  const address = images[`./images/${pictureFile(name, theme)}`];
  return (
    <figure className={styles.picture}>
      <a href={address} target="_blank" rel="noreferrer">
        <img src={address} alt={alt} width={pictureWidth} height={height} loading="lazy" decoding="async" />
      </a>
      <figcaption>{caption}</figcaption>
    </figure>
  );
}

/** Text with what stands between backticks as code. */
function Words({ text }: { text: string }) {
  return text.split('`').map((part, place) => (place % 2 === 1 ? <code key={part}>{part}</code> : part));
}
