CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" varchar(320) NOT NULL,
	"display_name" varchar(100),
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"password_changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "finding_events" (
	"finding_id" integer PRIMARY KEY NOT NULL,
	"events" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "findings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "findings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"task_result_id" integer NOT NULL,
	"job_id" integer NOT NULL,
	"rule_id" varchar(100),
	"rule_name" varchar(500) NOT NULL,
	"rule_author" text,
	"severity" text NOT NULL,
	"severity_rank" smallint NOT NULL,
	"count" bigint NOT NULL,
	"tags" jsonb NOT NULL,
	"first_seen" varchar(40),
	"last_seen" varchar(40),
	"events_kept" integer NOT NULL,
	"rule_signature" varchar(200) NOT NULL,
	"rule_source" text
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "jobs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"file_id" integer NOT NULL,
	"workflow_id" integer NOT NULL,
	"submitted_by" uuid,
	"submitter_ip" varchar(45) NOT NULL,
	"submitted_name" varchar(512),
	"log_type" text NOT NULL,
	"is_private" boolean NOT NULL,
	"status" text NOT NULL,
	"claim" varchar(64),
	"cancel_requested_at" timestamp (3) with time zone,
	"error_code" text,
	"error_message" text,
	"score_ratio" varchar(20) DEFAULT '0/0' NOT NULL,
	"total_findings" bigint DEFAULT 0 NOT NULL,
	"distinct_rules" integer DEFAULT 0 NOT NULL,
	"severity_summary" jsonb DEFAULT '{"critical":0,"high":0,"medium":0,"low":0,"informational":0}'::jsonb NOT NULL,
	"first_event_at" varchar(40),
	"last_event_at" varchar(40),
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "queued_tasks" (
	"job_id" integer PRIMARY KEY NOT NULL,
	"enqueued_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"lease" varchar(64),
	"worker" varchar(100)
);
--> statement-breakpoint
CREATE TABLE "task_results" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "task_results_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"job_id" integer NOT NULL,
	"position" smallint NOT NULL,
	"engine" varchar(100) NOT NULL,
	"status" text NOT NULL,
	"findings_count" integer DEFAULT 0 NOT NULL,
	"duration_ms" integer,
	"error_message" text,
	"log_output" text,
	"bytes_done" bigint,
	"bytes_total" bigint,
	"events" bigint,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"rule_set" jsonb,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "uploaded_files" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "uploaded_files_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"original_name" varchar(512) NOT NULL,
	"storage_key" varchar(100) NOT NULL,
	"sha256" varchar(64) NOT NULL,
	"size_bytes" bigint NOT NULL,
	"detected_type" text NOT NULL,
	"uploaded_at" timestamp (3) with time zone NOT NULL,
	"uploader_ip" varchar(45) NOT NULL,
	CONSTRAINT "uploaded_files_storage_key" UNIQUE("storage_key"),
	CONSTRAINT "uploaded_files_sha256" UNIQUE("sha256")
);
--> statement-breakpoint
CREATE TABLE "workflows" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflows_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(200) NOT NULL,
	"description" text NOT NULL,
	"log_types" jsonb NOT NULL,
	"definition" text NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"seed_hash" varchar(64),
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflows_name" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "finding_events" ADD CONSTRAINT "finding_events_finding_id_findings_id_fk" FOREIGN KEY ("finding_id") REFERENCES "public"."findings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "findings" ADD CONSTRAINT "findings_task_result_id_task_results_id_fk" FOREIGN KEY ("task_result_id") REFERENCES "public"."task_results"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "findings" ADD CONSTRAINT "findings_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_file_id_uploaded_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."uploaded_files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflows"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_submitted_by_accounts_id_fk" FOREIGN KEY ("submitted_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_results" ADD CONSTRAINT "task_results_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_by_email" ON "accounts" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "findings_of_job" ON "findings" USING btree ("job_id","severity_rank","count" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "findings_of_task" ON "findings" USING btree ("task_result_id");--> statement-breakpoint
CREATE INDEX "jobs_newest" ON "jobs" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "jobs_newest_public" ON "jobs" USING btree ("created_at","id") WHERE not "jobs"."is_private";--> statement-breakpoint
CREATE INDEX "jobs_newest_on_file" ON "jobs" USING btree ("file_id","workflow_id","id");--> statement-breakpoint
CREATE INDEX "jobs_live" ON "jobs" USING btree ("created_at") WHERE "jobs"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "queued_tasks_due" ON "queued_tasks" USING btree ("due_at","enqueued_at");--> statement-breakpoint
CREATE INDEX "task_results_of_job" ON "task_results" USING btree ("job_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "workflows_one_default" ON "workflows" USING btree ("is_default") WHERE "workflows"."is_default";