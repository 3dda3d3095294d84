-- With what most searches ask of a job (`listedColumns`), so that the newest are looked through without reading them.
DROP INDEX "jobs_newest";--> statement-breakpoint
CREATE INDEX "jobs_newest" ON "jobs" USING btree ("created_at","id") INCLUDE ("total_findings","workflow_id","is_private","log_type","status","search_name","submitted_by");--> statement-breakpoint
-- An index answers only for pages that a vacuum has seen.
ALTER TABLE "jobs" SET (autovacuum_vacuum_insert_scale_factor = 0.02);
