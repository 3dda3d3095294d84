CREATE TABLE "jobs_awaiting_rules" (
	"job_id" integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "jobs_awaiting_rules" ADD CONSTRAINT "jobs_awaiting_rules_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;