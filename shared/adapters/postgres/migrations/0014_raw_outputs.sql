CREATE TABLE "raw_outputs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "raw_outputs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"task_result_id" integer NOT NULL,
	"job_id" integer NOT NULL,
	"name" varchar(100) NOT NULL,
	"storage_key" varchar(100) NOT NULL,
	"size_bytes" bigint NOT NULL,
	"is_complete" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "raw_outputs" ADD CONSTRAINT "raw_outputs_task_result_id_task_results_id_fk" FOREIGN KEY ("task_result_id") REFERENCES "public"."task_results"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raw_outputs" ADD CONSTRAINT "raw_outputs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "raw_outputs_of_job" ON "raw_outputs" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "raw_outputs_of_task" ON "raw_outputs" USING btree ("task_result_id");--> statement-breakpoint
CREATE INDEX "raw_outputs_by_age" ON "raw_outputs" USING btree ("created_at");