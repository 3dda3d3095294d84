CREATE TABLE "job_changes" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"job_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_chunks" (
	"chunk" integer PRIMARY KEY NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_facets" (
	"facet" varchar(200) NOT NULL,
	"chunk" integer NOT NULL,
	"bits" "bytea" NOT NULL,
	CONSTRAINT "job_facets_facet_chunk_pk" PRIMARY KEY("facet","chunk")
);
--> statement-breakpoint
DROP INDEX "jobs_newest_public";--> statement-breakpoint
CREATE INDEX "jobs_of_account" ON "jobs" USING btree ("submitted_by","file_id","id");--> statement-breakpoint
CREATE INDEX "task_results_of_engine" ON "task_results" USING btree ("engine","job_id");--> statement-breakpoint
CREATE INDEX "uploaded_files_sha256_begins" ON "uploaded_files" USING btree ("sha256" varchar_pattern_ops);--> statement-breakpoint
CREATE FUNCTION "note_job"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "job_changes" ("job_id") VALUES (CASE TG_OP WHEN 'DELETE' THEN OLD."id" ELSE NEW."id" END);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE FUNCTION "note_job_of"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "job_changes" ("job_id") VALUES (CASE TG_OP WHEN 'DELETE' THEN OLD."job_id" ELSE NEW."job_id" END);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "jobs_noted" AFTER INSERT OR DELETE ON "jobs" FOR EACH ROW EXECUTE FUNCTION "note_job"();--> statement-breakpoint
CREATE TRIGGER "jobs_changes_noted" AFTER UPDATE ON "jobs" FOR EACH ROW WHEN (
  (OLD."status", OLD."is_private", OLD."log_type", OLD."workflow_id", OLD."submitted_by", OLD."total_findings", OLD."severity_summary", OLD."error_message")
  IS DISTINCT FROM
  (NEW."status", NEW."is_private", NEW."log_type", NEW."workflow_id", NEW."submitted_by", NEW."total_findings", NEW."severity_summary", NEW."error_message")
) EXECUTE FUNCTION "note_job"();--> statement-breakpoint
CREATE TRIGGER "job_tags_noted" AFTER INSERT OR DELETE ON "job_tags" FOR EACH ROW EXECUTE FUNCTION "note_job_of"();--> statement-breakpoint
CREATE TRIGGER "task_results_noted" AFTER INSERT OR DELETE ON "task_results" FOR EACH ROW EXECUTE FUNCTION "note_job_of"();--> statement-breakpoint
INSERT INTO "job_changes" ("job_id") SELECT "id" FROM "jobs";
