import { sql } from 'drizzle-orm';
import { createHash } from 'node:crypto';
import type { Database } from '../database.ts';
import { rowsOf } from '../rows-of.ts';
import { ruleSources } from '../schema/index.ts';
import { storableText } from '../text.ts';

/** Texts a statement. */
const batchSize = 100;

interface Text {
  readonly digest: string;
  readonly source: string;
}

/** Where rules are kept as they were written, each text once; null for those that have none. */
export async function sourceIds(db: Database, sources: readonly (string | null)[]): Promise<(number | null)[]> {
  const texts = sources.map((source) => (source === null ? null : textOf(storableText(source))));
  // In one order everywhere, so that two who add the same ones do not wait for each other.
  const wanted = [
    ...new Map(texts.flatMap((text) => (text === null ? [] : [[text.digest, text] as const]))).values(),
  ].toSorted((a, b) => (a.digest < b.digest ? -1 : 1));
  const ids = await known(db, wanted);
  const added = wanted.filter(({ digest }) => !ids.has(digest));
  for (let start = 0; start < added.length; start += batchSize) {
    const batch = JSON.stringify(added.slice(start, start + batchSize));
    await db.execute(sql`
      insert into ${ruleSources} (digest, source)
      select digest, source from json_to_recordset(${batch}::json) as added(digest text, source text)
      on conflict do nothing`);
  }
  for (const [digest, id] of await known(db, added)) ids.set(digest, id);
  return texts.map((text) => (text === null ? null : (ids.get(text.digest) ?? null)));
}

async function known(db: Database, texts: readonly Text[]): Promise<Map<string, number>> {
  if (texts.length === 0) return new Map();
  const digests = JSON.stringify(texts.map(({ digest }) => digest));
  const rows = await rowsOf<{ id: number; digest: string }>(
    db,
    sql`select id, digest from ${ruleSources} where digest in (select json_array_elements_text(${digests}::json))`,
  );
  return new Map(rows.map(({ id, digest }) => [digest, id]));
}

function textOf(source: string): Text {
  return { digest: createHash('sha256').update(source).digest('hex'), source };
}
