DROP INDEX "queued_tasks_due";--> statement-breakpoint
ALTER TABLE "queued_tasks" ADD COLUMN "lane" text DEFAULT 'fast' NOT NULL;--> statement-breakpoint
ALTER TABLE "queued_tasks" ADD COLUMN "submitter" varchar(16) DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "queued_tasks" ADD COLUMN "turn" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_last_worked" ON "jobs" USING btree (greatest("started_at", "finished_at")) WHERE "jobs"."started_at" is not null;--> statement-breakpoint
CREATE INDEX "queued_tasks_next" ON "queued_tasks" USING btree ("turn","lane","enqueued_at");--> statement-breakpoint
CREATE INDEX "queued_tasks_next_of_lane" ON "queued_tasks" USING btree ("lane","turn","enqueued_at");--> statement-breakpoint
CREATE INDEX "queued_tasks_held" ON "queued_tasks" USING btree ("turn") WHERE "queued_tasks"."lease" is not null;--> statement-breakpoint
CREATE INDEX "queued_tasks_of_submitter" ON "queued_tasks" USING btree ("submitter","lane","turn");