CREATE TABLE "storage_walks" (
	"purpose" text PRIMARY KEY NOT NULL,
	"pages" integer NOT NULL,
	"began_at" timestamp (3) with time zone NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"cursor" text,
	"found" jsonb NOT NULL
);
--> statement-breakpoint
CREATE INDEX "event_packs_by_key" ON "event_packs" USING hash ("storage_key");--> statement-breakpoint
CREATE INDEX "raw_outputs_by_key" ON "raw_outputs" USING hash ("storage_key");--> statement-breakpoint
CREATE INDEX "upload_slots_by_key" ON "upload_slots" USING hash ("storage_key");