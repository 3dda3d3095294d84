CREATE TABLE "case_collaborators" (
	"case_id" integer NOT NULL,
	"account_id" uuid NOT NULL,
	"added_by" uuid,
	"added_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "case_collaborators_case_id_account_id_pk" PRIMARY KEY("case_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "case_entities" (
	"case_id" integer NOT NULL,
	"entity_id" integer NOT NULL,
	"added_by" uuid,
	"added_at" timestamp (3) with time zone NOT NULL,
	"note" varchar(500),
	CONSTRAINT "case_entities_case_id_entity_id_pk" PRIMARY KEY("case_id","entity_id")
);
--> statement-breakpoint
CREATE TABLE "case_narratives" (
	"case_id" integer NOT NULL,
	"version" integer NOT NULL,
	"body" varchar(8000) NOT NULL,
	"saved_by" uuid,
	"saved_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "case_narratives_case_id_version_pk" PRIMARY KEY("case_id","version")
);
--> statement-breakpoint
ALTER TABLE "case_jobs" ADD COLUMN "clock_offset" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "summary" varchar(8000);--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "severity" text;--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "narrative" varchar(8000);--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "narrative_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "closed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "case_collaborators" ADD CONSTRAINT "case_collaborators_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_collaborators" ADD CONSTRAINT "case_collaborators_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_collaborators" ADD CONSTRAINT "case_collaborators_added_by_accounts_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_entities" ADD CONSTRAINT "case_entities_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_entities" ADD CONSTRAINT "case_entities_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_entities" ADD CONSTRAINT "case_entities_added_by_accounts_id_fk" FOREIGN KEY ("added_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_narratives" ADD CONSTRAINT "case_narratives_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_narratives" ADD CONSTRAINT "case_narratives_saved_by_accounts_id_fk" FOREIGN KEY ("saved_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "case_collaborators_of_account" ON "case_collaborators" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "case_entities_of_entity" ON "case_entities" USING btree ("entity_id");--> statement-breakpoint
CREATE INDEX "case_entities_added" ON "case_entities" USING btree ("case_id","added_at","entity_id");