CREATE TABLE "background_tasks" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "background_tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"target_id" integer NOT NULL,
	"requested_by" varchar(320) NOT NULL,
	"status" text NOT NULL,
	"detail" text,
	"error_message" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "background_tasks_in_flight" ON "background_tasks" USING btree ("kind","target_id") WHERE "background_tasks"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "background_tasks_of_target" ON "background_tasks" USING btree ("kind","target_id","id");