ALTER TABLE "finding_events" ALTER COLUMN "events" SET DEFAULT '[]'::jsonb;--> statement-breakpoint
ALTER TABLE "finding_events" ADD COLUMN "in_order" json;