ALTER TABLE "entities" ADD COLUMN "found" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "entities" SET "found" = now."found" FROM (
  SELECT f."entity_id", CASE WHEN bool_or(NOT j."is_private") THEN 2 ELSE 1 END AS "found"
  FROM "entity_findings" f JOIN "jobs" j ON j."id" = f."job_id"
  WHERE f."finding_id" NOT IN (
    SELECT s."id" FROM "findings" s WHERE s."id" IN (SELECT "finding_id" FROM "suppressed_findings")
      AND NOT (s."merged_into" IS NULL AND s."count" > s."suppressed"))
  GROUP BY f."entity_id") now WHERE "entities"."id" = now."entity_id";--> statement-breakpoint
CREATE INDEX "entities_found" ON "entities" USING btree ("found","last_seen_at","id") WHERE "entities"."found" > 0;