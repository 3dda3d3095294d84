import type { DeliveryLimits, HappeningRepository } from '@svc/application/happenings/happening-repository.ts';
import { NewHappening, type Happening, type HappeningKind } from '@svc/contracts/happenings.ts';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { insertRows } from '../insert-rows.ts';
import { rowsOf } from '../rows-of.ts';
import { happeningDeliveries as deliveries, happenings } from '../schema/index.ts';
import { storableJson } from '../text.ts';

const firstWaitSeconds = 10;
const longestWaitSeconds = 900;
/** Removed by one statement. */
const removedAtOnce = 5000;

export class PgHappeningRepository implements HappeningRepository {
  readonly #db: Database;
  readonly #deliveryAdded: () => void;

  /** @param deliveryAdded - is told when there is something to deliver once the transaction has ended */
  constructor(db: Database, deliveryAdded: () => void = () => undefined) {
    this.#db = db;
    this.#deliveryAdded = deliveryAdded;
  }

  async add(happened: readonly NewHappening[], consumersOf: (kind: HappeningKind) => readonly string[]): Promise<void> {
    if (happened.length === 0) return;
    const { id, kind, subjectKind, subjectId } = happenings;
    const rows = await insertRows(this.#db, happenings, happened.map(toRow)).returning({
      id,
      kind,
      subjectKind,
      subjectId,
    });
    const wanted = rows.flatMap(({ kind: what, id: happeningId, ...subject }) =>
      consumersOf(what).map((consumer) => ({ consumer, happeningId, ...subject })),
    );
    if (wanted.length === 0) return;
    await insertRows(this.#db, deliveries, wanted);
    this.#deliveryAdded();
  }

  async take(consumer: string, limits: DeliveryLimits): Promise<readonly Happening[]> {
    // Whoever has the first of a subject has all of it. Where that one is gone meanwhile, others have had it.
    const rows = await rowsOf<Row>(
      this.#db,
      sql`
        with subjects as materialized (
          select d.subject_kind, d.subject_id
          from ${deliveries} d
          where d.consumer = ${consumer} and d.due_at <= statement_timestamp()
            and not exists (
              select from ${deliveries} earlier
              where earlier.consumer = d.consumer
                and earlier.subject_kind = d.subject_kind and earlier.subject_id = d.subject_id
                and earlier.happening_id < d.happening_id)
          order by d.happening_id
          limit ${limits.subjects}
          for update of d skip locked
        )
        select h.id::text as id, h.kind, h.subject_kind, h.subject_id, h.by::text as by, (extract(epoch from h.at) * 1000)::float8 as at, h.facts
        from subjects
        join ${deliveries} d using (subject_kind, subject_id)
        join ${happenings} h on h.id = d.happening_id
        where d.consumer = ${consumer}
        order by h.id
        limit ${limits.happenings}`,
    );
    return rows.map(toHappening);
  }

  async settle(consumer: string, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#db
      .delete(deliveries)
      .where(and(eq(deliveries.consumer, consumer), inArray(deliveries.happeningId, [...ids])));
  }

  async postpone(consumer: string, id: number): Promise<void> {
    const seconds = sql`least(${longestWaitSeconds}::float, ${firstWaitSeconds}::float * 2 ^ least(${deliveries.attempts}, 20))`;
    await this.#db
      .update(deliveries)
      .set({
        attempts: sql`least(${deliveries.attempts} + 1, 32000)`,
        dueAt: sql`statement_timestamp() + make_interval(secs => ${seconds})`,
      })
      .where(and(eq(deliveries.consumer, consumer), eq(deliveries.happeningId, id)));
  }

  waiting(): Promise<number> {
    return this.#db.$count(deliveries);
  }

  async removeSettled(before: Date): Promise<number> {
    const rows = await rowsOf(
      this.#db,
      sql`
        delete from ${happenings} where id in (
          select h.id from ${happenings} h
          where h.at < ${before.toISOString()}::timestamptz
            and not exists (select from ${deliveries} d where d.happening_id = h.id)
          order by h.id
          limit ${removedAtOnce})
        returning 1`,
    );
    return rows.length;
  }
}

interface Row {
  readonly id: string;
  readonly kind: string;
  readonly subject_kind: string;
  readonly subject_id: number;
  readonly by: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly facts: Readonly<Record<string, unknown>>;
}

function toRow({ kind, subject, by, at, ...facts }: NewHappening): typeof happenings.$inferInsert {
  return { kind, subjectKind: subject.kind, subjectId: subject.id, by, at, facts: storableJson(facts) };
}

function toHappening({ id, subject_kind: kind, subject_id: subjectId, at, facts, ...row }: Row): Happening {
  const subject = { kind, id: subjectId };
  return { ...NewHappening.parse({ ...facts, ...row, subject, at: new Date(at) }), id: Number(id) };
}
