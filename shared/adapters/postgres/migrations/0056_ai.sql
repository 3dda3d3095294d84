CREATE TABLE "ai_providers" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_providers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(80) NOT NULL,
	"kind" text NOT NULL,
	"base_url" varchar(500) NOT NULL,
	"model" varchar(200) NOT NULL,
	"sealed_token" text,
	"system_prompt" text,
	"case_system_prompt" text,
	"temperature" real NOT NULL,
	"max_output_tokens" integer NOT NULL,
	"job_max_prompt_chars" integer,
	"case_max_prompt_chars" integer,
	"timeout_seconds" integer NOT NULL,
	"pseudonyms" boolean,
	"is_enabled" boolean NOT NULL,
	"is_default" boolean NOT NULL,
	"notes" varchar(4000) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ai_run_parts" (
	"run_id" integer NOT NULL,
	"start" integer NOT NULL,
	"until" integer NOT NULL,
	"content" text NOT NULL,
	CONSTRAINT "ai_run_parts_run_id_start_pk" PRIMARY KEY("run_id","start")
);
--> statement-breakpoint
CREATE TABLE "ai_run_sources" (
	"run_id" integer NOT NULL,
	"job_id" integer NOT NULL,
	CONSTRAINT "ai_run_sources_run_id_job_id_pk" PRIMARY KEY("run_id","job_id")
);
--> statement-breakpoint
CREATE TABLE "ai_runs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ai_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"job_id" integer,
	"case_id" integer,
	"provider_id" integer,
	"provider_name" varchar(80) NOT NULL,
	"model" varchar(200) NOT NULL,
	"timeout_seconds" integer NOT NULL,
	"status" text NOT NULL,
	"content" text,
	"error_message" varchar(500),
	"log_output" text DEFAULT '' NOT NULL,
	"prompt" jsonb,
	"requested_by" uuid,
	"prompt_chars" integer DEFAULT 0 NOT NULL,
	"input_tokens" integer,
	"output_tokens" integer,
	"duration_ms" integer,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"heartbeat_at" timestamp (3) with time zone,
	"cancel_requested_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"evidence_captured_at" timestamp (3) with time zone,
	"source_deleted_at" timestamp (3) with time zone,
	CONSTRAINT "ai_runs_subject" CHECK (("ai_runs"."job_id" is null) <> ("ai_runs"."case_id" is null))
);
--> statement-breakpoint
DROP INDEX "queued_tasks_next_analysis";--> statement-breakpoint
ALTER TABLE "ai_run_parts" ADD CONSTRAINT "ai_run_parts_run_id_ai_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."ai_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_run_sources" ADD CONSTRAINT "ai_run_sources_run_id_ai_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."ai_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_runs" ADD CONSTRAINT "ai_runs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_runs" ADD CONSTRAINT "ai_runs_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_runs" ADD CONSTRAINT "ai_runs_provider_id_ai_providers_id_fk" FOREIGN KEY ("provider_id") REFERENCES "public"."ai_providers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ai_runs" ADD CONSTRAINT "ai_runs_requested_by_accounts_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ai_providers_name" ON "ai_providers" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "ai_providers_default" ON "ai_providers" USING btree ("is_default") WHERE "ai_providers"."is_default";--> statement-breakpoint
CREATE INDEX "ai_run_sources_of_job" ON "ai_run_sources" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "ai_runs_of_job" ON "ai_runs" USING btree ("job_id","id");--> statement-breakpoint
CREATE INDEX "ai_runs_of_case" ON "ai_runs" USING btree ("case_id","id");--> statement-breakpoint
CREATE INDEX "ai_runs_created" ON "ai_runs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "ai_runs_of_provider" ON "ai_runs" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "ai_runs_of_account" ON "ai_runs" USING btree ("requested_by","created_at");--> statement-breakpoint
CREATE INDEX "ai_runs_in_flight" ON "ai_runs" USING btree ("id") WHERE "ai_runs"."status" in ('pending', 'running');--> statement-breakpoint
CREATE INDEX "queued_tasks_next_analysis" ON "queued_tasks" USING btree ("turn","lane","enqueued_at") WHERE "queued_tasks"."lane" not in ('prompt', 'sweep', 'outbound', 'ai');