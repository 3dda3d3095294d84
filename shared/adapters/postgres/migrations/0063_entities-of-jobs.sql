CREATE TABLE "job_entity_counts" (
	"job_id" integer PRIMARY KEY NOT NULL,
	"entities" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "job_entity_counts" ADD CONSTRAINT "job_entity_counts_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "job_entity_counts" ("job_id", "entities")
SELECT "job_id", count(*) FROM "entity_job_links" GROUP BY "job_id" HAVING bool_and("is_counted");
