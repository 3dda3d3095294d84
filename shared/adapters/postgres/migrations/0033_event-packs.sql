CREATE TABLE "event_packs" (
	"task_result_id" integer PRIMARY KEY NOT NULL,
	"job_id" integer NOT NULL,
	"storage_key" varchar(100) NOT NULL,
	"size_bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rule_sources" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rule_sources_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"digest" varchar(64) NOT NULL,
	"source" text NOT NULL,
	CONSTRAINT "rule_sources_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
ALTER TABLE "findings" ADD COLUMN "events_at" bigint;--> statement-breakpoint
ALTER TABLE "findings" ADD COLUMN "events_bytes" integer;--> statement-breakpoint
ALTER TABLE "findings" ADD COLUMN "rule_source_id" integer;--> statement-breakpoint
ALTER TABLE "event_packs" ADD CONSTRAINT "event_packs_task_result_id_task_results_id_fk" FOREIGN KEY ("task_result_id") REFERENCES "public"."task_results"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event_packs" ADD CONSTRAINT "event_packs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "event_packs_of_job" ON "event_packs" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "findings_with_source" ON "findings" USING btree ("id") WHERE "findings"."rule_source" is not null;