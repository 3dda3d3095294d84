CREATE TABLE "case_notifications" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "case_notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" uuid NOT NULL,
	"case_id" integer NOT NULL,
	"comment_id" integer NOT NULL,
	"summary" varchar(200) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"acknowledged_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "findings" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "worst" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "shared_findings" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "cases" ADD COLUMN "shared_worst" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "case_notifications" ADD CONSTRAINT "case_notifications_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "case_notifications" ADD CONSTRAINT "case_notifications_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "case_notifications_once" ON "case_notifications" USING btree ("comment_id","account_id");--> statement-breakpoint
CREATE INDEX "case_notifications_waiting" ON "case_notifications" USING btree ("account_id","created_at") WHERE "case_notifications"."acknowledged_at" is null;--> statement-breakpoint
CREATE INDEX "case_notifications_of_case" ON "case_notifications" USING btree ("case_id");--> statement-breakpoint
CREATE INDEX "cases_by_name" ON "cases" USING btree ((lower("name") collate "C"),"id");--> statement-breakpoint
CREATE INDEX "cases_by_findings" ON "cases" USING btree ("findings","id");--> statement-breakpoint
CREATE INDEX "cases_by_shared_findings" ON "cases" USING btree ("shared_findings","id");--> statement-breakpoint
CREATE INDEX "cases_by_severity" ON "cases" USING btree (("worst" * 100000000000000 + least("findings", 99999999999999)),"id");--> statement-breakpoint
CREATE INDEX "cases_by_shared_severity" ON "cases" USING btree (("shared_worst" * 100000000000000 + least("shared_findings", 99999999999999)),"id");--> statement-breakpoint
CREATE INDEX "cases_name_parts" ON "cases" USING gin ((lower("name") collate "C") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "cases_of_owner" ON "cases" USING btree ("owner_id");--> statement-breakpoint
UPDATE "cases" SET "findings" = counted."findings", "worst" = counted."worst", "shared_findings" = counted."shared_findings", "shared_worst" = counted."shared_worst"
FROM (
  SELECT "case_id", sum("matches") AS "findings", max("worst") AS "worst",
    coalesce(sum("matches") FILTER (WHERE NOT "is_private"), 0) AS "shared_findings", coalesce(max("worst") FILTER (WHERE NOT "is_private"), 0) AS "shared_worst"
  FROM (
    SELECT "case_jobs"."case_id", "jobs"."is_private", "jobs"."total_findings" AS "matches",
      CASE WHEN ("severity_summary" ->> 'critical')::bigint > 0 THEN 5 WHEN ("severity_summary" ->> 'high')::bigint > 0 THEN 4
        WHEN ("severity_summary" ->> 'medium')::bigint > 0 THEN 3 WHEN ("severity_summary" ->> 'low')::bigint > 0 THEN 2
        WHEN ("severity_summary" ->> 'informational')::bigint > 0 THEN 1 ELSE 0 END AS "worst"
    FROM "case_jobs" JOIN "jobs" ON "jobs"."id" = "case_jobs"."job_id"
  ) AS "job" GROUP BY "case_id"
) AS counted WHERE counted."case_id" = "cases"."id";
