CREATE TABLE "comments" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "comments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"job_id" integer,
	"case_id" integer,
	"author_id" uuid,
	"body" varchar(4000) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"edited_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	"deleted_by" uuid,
	CONSTRAINT "comments_on_one_thing" CHECK (num_nonnulls("comments"."job_id", "comments"."case_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "job_watches" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "job_watches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"job_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watch_events" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "watch_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"watch_id" integer NOT NULL,
	"kind" text NOT NULL,
	"ref_id" integer NOT NULL,
	"summary" varchar(200) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"acknowledged_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "job_tags" ADD COLUMN "id" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "job_tags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_author_id_accounts_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_deleted_by_accounts_id_fk" FOREIGN KEY ("deleted_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_watches" ADD CONSTRAINT "job_watches_user_id_accounts_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_watches" ADD CONSTRAINT "job_watches_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watch_events" ADD CONSTRAINT "watch_events_watch_id_job_watches_id_fk" FOREIGN KEY ("watch_id") REFERENCES "public"."job_watches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "comments_on_job" ON "comments" USING btree ("job_id","id") WHERE "comments"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "comments_on_case" ON "comments" USING btree ("case_id","id") WHERE "comments"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "comments_deleted" ON "comments" USING btree ("deleted_at") WHERE "comments"."deleted_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "job_watches_of_person" ON "job_watches" USING btree ("user_id","job_id");--> statement-breakpoint
CREATE INDEX "job_watches_of_job" ON "job_watches" USING btree ("job_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "watch_events_once" ON "watch_events" USING btree ("watch_id","kind","ref_id");--> statement-breakpoint
CREATE INDEX "watch_events_unread" ON "watch_events" USING btree ("watch_id","id") WHERE "watch_events"."acknowledged_at" is null;--> statement-breakpoint
CREATE INDEX "watch_events_of_ref" ON "watch_events" USING btree ("kind","ref_id");