CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "search_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE "jobs" SET "search_name" = lower(coalesce("submitted_name", 'upload-' || left("sha256", 12))) FROM "uploaded_files" WHERE "uploaded_files"."id" = "jobs"."file_id";--> statement-breakpoint
CREATE INDEX "jobs_by_name" ON "jobs" USING gin ("search_name" gin_trgm_ops);
