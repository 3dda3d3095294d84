DROP TRIGGER "jobs_noted" ON "jobs";--> statement-breakpoint
DROP TRIGGER "jobs_changes_noted" ON "jobs";--> statement-breakpoint
DROP TRIGGER "job_tags_noted" ON "job_tags";--> statement-breakpoint
DROP TRIGGER "task_results_noted" ON "task_results";--> statement-breakpoint
DROP FUNCTION "note_job"();--> statement-breakpoint
DROP FUNCTION "note_job_of"();--> statement-breakpoint
DROP TABLE "job_changes" CASCADE;--> statement-breakpoint
DROP TABLE "job_chunks" CASCADE;--> statement-breakpoint
DROP TABLE "job_facets" CASCADE;--> statement-breakpoint
DROP INDEX "jobs_by_name";--> statement-breakpoint
CREATE FUNCTION "facet_of"("kind" integer, "word" text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT kind * 16777216 + (hashtext(word) & 16777215)
$$;--> statement-breakpoint
CREATE FUNCTION "job_facets"("status" text, "log_type" text, "workflow_id" integer, "submitted_by" uuid, "is_private" boolean,
  "error_message" text, "total_findings" bigint, "severities" jsonb, "marks" integer[])
RETURNS integer[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  flag CONSTANT integer := 16777216;
  rank CONSTANT integer := 6 * 16777216;
  facets integer[] := ARRAY[
    3 * flag + (hashtext(log_type) & 16777215),
    4 * flag + workflow_id,
    CASE WHEN error_message IS NULL THEN flag + 6 ELSE flag + 5 END,
    CASE WHEN total_findings > 0 THEN flag + 7 ELSE flag + 8 END,
    rank + coalesce(((severities ->> 'critical')::bigint > 0)::integer, 0),
    rank + coalesce(((severities ->> 'high')::bigint > 0)::integer, 0) + 2,
    rank + coalesce(((severities ->> 'medium')::bigint > 0)::integer, 0) + 4,
    rank + coalesce(((severities ->> 'low')::bigint > 0)::integer, 0) + 6,
    rank + coalesce(((severities ->> 'informational')::bigint > 0)::integer, 0) + 8
  ];
BEGIN
  IF status NOT IN ('pending', 'running') THEN
    facets := facets || (2 * flag + (hashtext(status) & 16777215));
  END IF;
  IF submitted_by IS NULL THEN
    facets := facets || (flag + 1);
  ELSE
    facets := facets || (flag + 2);
  END IF;
  IF NOT is_private THEN
    facets := facets || (flag + 3);
  ELSIF submitted_by IS NULL THEN
    facets := facets || (flag + 4);
  ELSE
    facets := facets || ARRAY[flag + 4, 5 * flag + (hashtext(submitted_by::text) & 16777215)];
  END IF;
  RETURN facets || marks;
END $$;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "marks" integer[] DEFAULT '{16777225,16777226}' NOT NULL;--> statement-breakpoint
UPDATE "jobs" SET "marks" = coalesce("tagged"."marks", '{16777225}') || coalesce("ran"."marks", '{16777226}')
FROM "jobs" "job"
LEFT JOIN (
  SELECT "job_id", array_agg(7 * 16777216 + "tag_id") AS "marks" FROM "job_tags" GROUP BY "job_id"
) "tagged" ON "tagged"."job_id" = "job"."id"
LEFT JOIN (
  SELECT "job_id", array_agg(DISTINCT facet_of(8, "engine")) AS "marks" FROM "task_results" GROUP BY "job_id"
) "ran" ON "ran"."job_id" = "job"."id"
WHERE "job"."id" = "jobs"."id" AND ("tagged"."job_id" IS NOT NULL OR "ran"."job_id" IS NOT NULL);--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "facets" integer[] GENERATED ALWAYS AS (job_facets("status", "log_type", "workflow_id", "submitted_by", "is_private", "error_message", "total_findings", "severity_summary", "marks")) STORED NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_by_facet" ON "jobs" USING gin ("facets") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "jobs_by_amount" ON "jobs" USING btree ("total_findings");--> statement-breakpoint
CREATE INDEX "jobs_by_name" ON "jobs" USING gin ("search_name" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
ALTER TABLE "jobs" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
