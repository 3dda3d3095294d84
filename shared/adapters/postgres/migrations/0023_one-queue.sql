DROP INDEX "queued_tasks_next";--> statement-breakpoint
DROP INDEX "queued_tasks_held";--> statement-breakpoint
ALTER TABLE "queued_tasks" DROP CONSTRAINT "queued_tasks_pkey";--> statement-breakpoint
ALTER TABLE "queued_tasks" ALTER COLUMN "job_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "queued_tasks" ALTER COLUMN "turn" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "queued_tasks" ADD COLUMN "key" varchar(200) PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL;--> statement-breakpoint
ALTER TABLE "queued_tasks" ADD COLUMN "task" jsonb;--> statement-breakpoint
-- What waits is known by its job from now on as before.
UPDATE "queued_tasks" SET "key" = 'run_analysis:' || "job_id";--> statement-breakpoint
CREATE INDEX "queued_tasks_next_analysis" ON "queued_tasks" USING btree ("turn","lane","enqueued_at") WHERE "queued_tasks"."lane" not in ('prompt', 'sweep');--> statement-breakpoint
CREATE INDEX "queued_tasks_held_of_lane" ON "queued_tasks" USING btree ("lane","turn") WHERE "queued_tasks"."lease" is not null;--> statement-breakpoint
CREATE INDEX "queued_tasks_delayed" ON "queued_tasks" USING btree ("due_at") WHERE "queued_tasks"."turn" is null;
