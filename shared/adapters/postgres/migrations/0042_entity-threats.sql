CREATE TABLE "entity_threats" (
	"entity_id" integer NOT NULL,
	"job_id" integer NOT NULL,
	"category" text NOT NULL,
	"severity_rank" smallint NOT NULL,
	CONSTRAINT "entity_threats_entity_id_job_id_category_pk" PRIMARY KEY("entity_id","job_id","category")
);
--> statement-breakpoint
ALTER TABLE "entity_threats" ADD CONSTRAINT "entity_threats_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_threats" ADD CONSTRAINT "entity_threats_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "entity_threats_of_job" ON "entity_threats" USING btree ("job_id");