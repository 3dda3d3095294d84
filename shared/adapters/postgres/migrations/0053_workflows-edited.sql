ALTER TABLE "workflows" DROP CONSTRAINT "workflows_name";--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "enabled" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "shipped_as" varchar(200);--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "workflows_by_name" ON "workflows" USING btree ("name") WHERE "workflows"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "workflows_as_shipped" ON "workflows" USING btree ("shipped_as");