CREATE TABLE "task_derivations" (
	"task_result_id" integer PRIMARY KEY NOT NULL,
	"job_id" integer NOT NULL,
	"analytics" jsonb NOT NULL,
	"alerts" "bytea" NOT NULL,
	"processes" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "task_derivations" ADD CONSTRAINT "task_derivations_task_result_id_task_results_id_fk" FOREIGN KEY ("task_result_id") REFERENCES "public"."task_results"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_derivations" ADD CONSTRAINT "task_derivations_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "task_derivations_of_job" ON "task_derivations" USING btree ("job_id");