CREATE TABLE "feed_pages" (
	"key" char(43) PRIMARY KEY NOT NULL,
	"tag" char(43) NOT NULL,
	"since" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "told_until" (
	"id" smallint PRIMARY KEY NOT NULL,
	"at" timestamp(6) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "entities" ADD COLUMN "told_at" timestamp(6) with time zone;--> statement-breakpoint
ALTER TABLE "entities" ADD COLUMN "stix_id" uuid;--> statement-breakpoint
CREATE INDEX "feed_pages_by_time" ON "feed_pages" USING btree ("since");--> statement-breakpoint
CREATE INDEX "entities_told" ON "entities" USING btree ("told_at","last_seen_at","id");--> statement-breakpoint
CREATE INDEX "entities_told_watched" ON "entities" USING btree ("told_at","last_seen_at","id") WHERE "entities"."is_watched";--> statement-breakpoint
CREATE UNIQUE INDEX "entities_by_stix_id" ON "entities" USING btree ("stix_id") WHERE "entities"."stix_id" is not null;