CREATE TABLE "entities" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "entities_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"value" text NOT NULL,
	"value_key" text collate "C" NOT NULL,
	"ip_key" "bytea",
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"job_count" integer NOT NULL,
	"is_watched" boolean DEFAULT false NOT NULL,
	"is_allowlisted" boolean DEFAULT false NOT NULL,
	"allowlist_reason" varchar(300),
	"allowlisted_by" uuid,
	"allowlisted_at" timestamp (3) with time zone,
	"note" varchar(8000),
	"note_by" uuid,
	"note_at" timestamp (3) with time zone,
	"attributes" jsonb,
	"attribute_keys" text[] DEFAULT '{}' NOT NULL,
	"attributes_version" smallint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entity_findings" (
	"finding_id" integer NOT NULL,
	"entity_id" integer NOT NULL,
	"job_id" integer NOT NULL,
	CONSTRAINT "entity_findings_finding_id_entity_id_pk" PRIMARY KEY("finding_id","entity_id")
);
--> statement-breakpoint
CREATE TABLE "entity_job_links" (
	"entity_id" integer NOT NULL,
	"job_id" integer NOT NULL,
	"occurrence_count" integer NOT NULL,
	CONSTRAINT "entity_job_links_entity_id_job_id_pk" PRIMARY KEY("entity_id","job_id")
);
--> statement-breakpoint
CREATE TABLE "entity_search" (
	"entity_id" integer PRIMARY KEY NOT NULL,
	"words" text NOT NULL,
	"facets" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "entity_tags" (
	"entity_id" integer NOT NULL,
	"tag_id" integer NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "entity_tags_entity_id_tag_id_pk" PRIMARY KEY("entity_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "relationship_evidence" (
	"relationship_id" integer NOT NULL,
	"job_id" integer NOT NULL,
	"occurrence_count" integer NOT NULL,
	"failed_count" integer NOT NULL,
	"observed_from" timestamp (3) with time zone,
	"observed_to" timestamp (3) with time zone,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"sample_events" json NOT NULL,
	CONSTRAINT "relationship_evidence_relationship_id_job_id_pk" PRIMARY KEY("relationship_id","job_id")
);
--> statement-breakpoint
CREATE TABLE "relationships" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "relationships_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"source_id" integer NOT NULL,
	"target_id" integer NOT NULL,
	"type" text NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"occurrence_count" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "comments" DROP CONSTRAINT "comments_on_one_thing";--> statement-breakpoint
DROP INDEX "background_tasks_in_flight";--> statement-breakpoint
ALTER TABLE "background_tasks" ALTER COLUMN "target_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "background_tasks" ADD COLUMN "cursor" integer;--> statement-breakpoint
ALTER TABLE "background_tasks" ADD COLUMN "heartbeat_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "comments" ADD COLUMN "entity_id" integer;--> statement-breakpoint
ALTER TABLE "tags" ADD COLUMN "description" varchar(300);--> statement-breakpoint
ALTER TABLE "task_derivations" ADD COLUMN "intel" "bytea";--> statement-breakpoint
ALTER TABLE "task_derivations" ADD COLUMN "intel_version" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "entities" ADD CONSTRAINT "entities_allowlisted_by_accounts_id_fk" FOREIGN KEY ("allowlisted_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entities" ADD CONSTRAINT "entities_note_by_accounts_id_fk" FOREIGN KEY ("note_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_findings" ADD CONSTRAINT "entity_findings_finding_id_findings_id_fk" FOREIGN KEY ("finding_id") REFERENCES "public"."findings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_findings" ADD CONSTRAINT "entity_findings_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_job_links" ADD CONSTRAINT "entity_job_links_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_job_links" ADD CONSTRAINT "entity_job_links_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_search" ADD CONSTRAINT "entity_search_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_tags" ADD CONSTRAINT "entity_tags_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_tags" ADD CONSTRAINT "entity_tags_tag_id_tags_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tags"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_tags" ADD CONSTRAINT "entity_tags_created_by_accounts_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relationship_evidence" ADD CONSTRAINT "relationship_evidence_relationship_id_relationships_id_fk" FOREIGN KEY ("relationship_id") REFERENCES "public"."relationships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relationship_evidence" ADD CONSTRAINT "relationship_evidence_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relationships" ADD CONSTRAINT "relationships_source_id_entities_id_fk" FOREIGN KEY ("source_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "relationships" ADD CONSTRAINT "relationships_target_id_entities_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "entities_by_value" ON "entities" USING btree ("value_key","type");--> statement-breakpoint
CREATE INDEX "entities_last_seen" ON "entities" USING btree ("last_seen_at","id");--> statement-breakpoint
CREATE INDEX "entities_last_seen_of_type" ON "entities" USING btree ("type","last_seen_at","id");--> statement-breakpoint
CREATE INDEX "entities_first_seen" ON "entities" USING btree ("first_seen_at","id");--> statement-breakpoint
CREATE INDEX "entities_by_jobs" ON "entities" USING btree ("job_count","id");--> statement-breakpoint
CREATE INDEX "entities_by_ip" ON "entities" USING btree ("ip_key") WHERE "entities"."ip_key" is not null;--> statement-breakpoint
CREATE INDEX "entities_watched" ON "entities" USING btree ("last_seen_at","id") WHERE "entities"."is_watched";--> statement-breakpoint
CREATE INDEX "entities_allowlisted" ON "entities" USING btree ("last_seen_at","id") WHERE "entities"."is_allowlisted";--> statement-breakpoint
CREATE INDEX "entities_noted" ON "entities" USING btree ("last_seen_at","id") WHERE "entities"."note" is not null;--> statement-breakpoint
CREATE INDEX "entity_findings_of_entity" ON "entity_findings" USING btree ("entity_id","job_id","finding_id");--> statement-breakpoint
CREATE INDEX "entity_job_links_of_job" ON "entity_job_links" USING btree ("job_id","entity_id");--> statement-breakpoint
CREATE INDEX "entity_search_by_words" ON "entity_search" USING gin ("words" gin_trgm_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "entity_search_by_facet" ON "entity_search" USING gin ("facets") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "entity_tags_of_tag" ON "entity_tags" USING btree ("tag_id","entity_id");--> statement-breakpoint
CREATE INDEX "relationship_evidence_of_job" ON "relationship_evidence" USING btree ("job_id","relationship_id");--> statement-breakpoint
CREATE UNIQUE INDEX "relationships_by_ends" ON "relationships" USING btree ("source_id","target_id","type");--> statement-breakpoint
CREATE INDEX "relationships_of_source" ON "relationships" USING btree ("source_id","type","occurrence_count");--> statement-breakpoint
CREATE INDEX "relationships_of_target" ON "relationships" USING btree ("target_id","type","occurrence_count");--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "comments_on_entity" ON "comments" USING btree ("entity_id","id") WHERE "comments"."entity_id" is not null;--> statement-breakpoint
CREATE INDEX "task_derivations_by_intel_version" ON "task_derivations" USING btree ("intel_version","job_id");--> statement-breakpoint
CREATE UNIQUE INDEX "background_tasks_in_flight" ON "background_tasks" USING btree ("kind",coalesce("target_id", 0)) WHERE "background_tasks"."status" in ('pending', 'running');--> statement-breakpoint
ALTER TABLE "comments" ADD CONSTRAINT "comments_on_one_thing" CHECK (num_nonnulls("comments"."job_id", "comments"."case_id", "comments"."entity_id") = 1);