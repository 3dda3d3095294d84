CREATE TABLE "finding_reviews" (
	"job_id" integer NOT NULL,
	"rule_signature" varchar(200) NOT NULL,
	"state" text NOT NULL,
	"note" varchar(2000) NOT NULL,
	"assignee_id" uuid,
	"reviewed_by" uuid,
	"reviewed_at" timestamp (3) with time zone NOT NULL,
	"is_remembered" boolean NOT NULL,
	"is_from_earlier" boolean NOT NULL,
	CONSTRAINT "finding_reviews_job_id_rule_signature_pk" PRIMARY KEY("job_id","rule_signature")
);
--> statement-breakpoint
CREATE TABLE "remembered_reviews" (
	"owner_id" uuid NOT NULL,
	"rule_signature" varchar(200) NOT NULL,
	"host" varchar(255) NOT NULL,
	"is_private" boolean NOT NULL,
	"state" text NOT NULL,
	"note" varchar(2000) NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "remembered_reviews_owner_id_rule_signature_host_is_private_pk" PRIMARY KEY("owner_id","rule_signature","host","is_private")
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "reviewed_rules" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "finding_reviews" ADD CONSTRAINT "finding_reviews_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finding_reviews" ADD CONSTRAINT "finding_reviews_assignee_id_accounts_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "finding_reviews" ADD CONSTRAINT "finding_reviews_reviewed_by_accounts_id_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remembered_reviews" ADD CONSTRAINT "remembered_reviews_owner_id_accounts_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;