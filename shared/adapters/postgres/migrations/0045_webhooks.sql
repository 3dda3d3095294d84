ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_job_id_jobs_id_fk";
--> statement-breakpoint
DROP INDEX "queued_tasks_next_analysis";--> statement-breakpoint
ALTER TABLE "webhook_attempts" ALTER COLUMN "ok" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD COLUMN "webhook_template" jsonb;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD COLUMN "request" jsonb;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "attempts_before" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "queued_tasks_next_analysis" ON "queued_tasks" USING btree ("turn","lane","enqueued_at") WHERE "queued_tasks"."lane" not in ('prompt', 'sweep', 'outbound');