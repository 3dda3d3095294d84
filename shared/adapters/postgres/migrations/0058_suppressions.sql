CREATE TABLE "suppressed_findings" (
	"finding_id" integer NOT NULL,
	"suppression_id" integer NOT NULL,
	"events" bigint NOT NULL,
	CONSTRAINT "suppressed_findings_finding_id_suppression_id_pk" PRIMARY KEY("finding_id","suppression_id")
);
--> statement-breakpoint
CREATE TABLE "suppressions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "suppressions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"case_id" integer,
	"rule_id" varchar(100) NOT NULL,
	"rule_name" varchar(500) NOT NULL,
	"conditions" jsonb NOT NULL,
	"reason" varchar(2000) NOT NULL,
	"is_private" boolean NOT NULL,
	"author_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	"applied_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "findings" ADD COLUMN "suppressed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "suppressed_findings" ADD CONSTRAINT "suppressed_findings_finding_id_findings_id_fk" FOREIGN KEY ("finding_id") REFERENCES "public"."findings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppressed_findings" ADD CONSTRAINT "suppressed_findings_suppression_id_suppressions_id_fk" FOREIGN KEY ("suppression_id") REFERENCES "public"."suppressions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_author_id_accounts_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "suppressed_findings_by" ON "suppressed_findings" USING btree ("suppression_id","finding_id");--> statement-breakpoint
CREATE INDEX "suppressions_of_rule" ON "suppressions" USING btree ("rule_id");--> statement-breakpoint
CREATE INDEX "suppressions_of_case" ON "suppressions" USING btree ("case_id","id");--> statement-breakpoint
CREATE INDEX "suppressions_due" ON "suppressions" USING btree ("id") WHERE "suppressions"."applied_at" is null;