import type { CommentRepository, Discussed, NewComment } from '@svc/application/discussions/comment-repository.ts';
import { commentTargets, publicName, type Comment, type CommentTarget } from '@svc/domain';
import { and, count, desc, eq, isNull, lt, type SQL } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accounts, comments } from '../schema/index.ts';
import { storableText } from '../text.ts';
import { deleteRows } from '../delete-rows.ts';

/** The column that says which thing of its kind a comment is on. */
const columnOf = { job: 'jobId', case: 'caseId', entity: 'entityId' } as const satisfies Record<CommentTarget, string>;
const live = isNull(comments.deletedAt);

export class PgCommentRepository implements CommentRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add({ on, authorId, body, at }: NewComment): Promise<number> {
    const values = { [columnOf[on.target]]: on.id, authorId, body: storableText(body), createdAt: at };
    const [added] = await this.#db.insert(comments).values(values).returning({ id: comments.id });
    if (!added) throw new Error('the comment was not stored');
    return added.id;
  }

  async get(id: number): Promise<Comment | null> {
    const [row] = await this.#rows(and(live, eq(comments.id, id)));
    return row ? toComment(row) : null;
  }

  async thread(
    on: Discussed,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<{ total: number; comments: Comment[] }> {
    const older = before === null ? undefined : lt(comments.id, before);
    const rows = await this.#rows(and(live, isOn(on), older))
      .orderBy(desc(comments.id))
      .limit(limit);
    return { total: await this.count(on), comments: rows.map(toComment).reverse() };
  }

  async count(on: Discussed): Promise<number> {
    const [row] = await this.#db
      .select({ total: count() })
      .from(comments)
      .where(and(live, isOn(on)));
    return row?.total ?? 0;
  }

  async edit(id: number, { body, at }: { body: string; at: Date }): Promise<boolean> {
    const edited = await this.#db
      .update(comments)
      .set({ body: storableText(body), editedAt: at })
      .where(and(live, eq(comments.id, id)))
      .returning({ id: comments.id });
    return edited.length > 0;
  }

  async delete(id: number, { by, at }: { by: string; at: Date }): Promise<boolean> {
    const deleted = await this.#db
      .update(comments)
      .set({ body: '', deletedAt: at, deletedBy: by })
      .where(and(live, eq(comments.id, id)))
      .returning({ id: comments.id });
    return deleted.length > 0;
  }

  removeTombstones(before: Date): Promise<number> {
    return deleteRows(this.#db, comments, lt(comments.deletedAt, before));
  }

  #rows(where: SQL | undefined) {
    return this.#db
      .select({ comment: comments, author: { email: accounts.email, displayName: accounts.displayName } })
      .from(comments)
      .leftJoin(accounts, eq(accounts.id, comments.authorId))
      .where(where)
      .$dynamic();
  }
}

function isOn({ target, id }: Discussed): SQL {
  return eq(comments[columnOf[target]], id);
}

interface CommentRow {
  readonly comment: typeof comments.$inferSelect;
  readonly author: { readonly email: string; readonly displayName: string | null } | null;
}

function toComment({ comment, author }: CommentRow): Comment {
  const { id, authorId, body, createdAt, editedAt } = comment;
  const target = commentTargets.find((one) => comment[columnOf[one]] !== null);
  const targetId = target && comment[columnOf[target]];
  if (target === undefined || typeof targetId !== 'number') throw new Error(`comment ${id} is on nothing`);
  const named = authorId === null || author === null ? null : { id: authorId, name: publicName(author) };
  return { id, target, targetId, author: named, body, createdAt, editedAt };
}
