ALTER TABLE "upload_slots" ADD COLUMN "owner" varchar(80);--> statement-breakpoint
CREATE INDEX "upload_slots_open_of_owner" ON "upload_slots" USING btree ("owner") WHERE not "upload_slots"."used";