ALTER TABLE "findings" ADD COLUMN "merged_into" integer;--> statement-breakpoint
ALTER TABLE "findings" ADD COLUMN "parts" jsonb;