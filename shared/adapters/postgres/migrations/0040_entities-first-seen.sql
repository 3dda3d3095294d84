DROP INDEX "entities_first_seen";--> statement-breakpoint
CREATE INDEX "entities_first_seen" ON "entities" USING btree ("first_seen_at","id" DESC NULLS FIRST);