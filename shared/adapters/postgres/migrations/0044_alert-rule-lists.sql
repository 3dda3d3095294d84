CREATE TABLE "alert_rule_backtest_matches" (
	"backtest_id" integer NOT NULL,
	"job_id" integer NOT NULL,
	"matches" integer NOT NULL,
	"entity_ids" integer[] NOT NULL,
	CONSTRAINT "alert_rule_backtest_matches_backtest_id_job_id_pk" PRIMARY KEY("backtest_id","job_id")
);
--> statement-breakpoint
CREATE TABLE "alert_rule_backtests" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_rule_backtests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" uuid NOT NULL,
	"scope" text NOT NULL,
	"query" varchar(500) NOT NULL,
	"entity_types" text[] NOT NULL,
	"entity_id" integer,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"jobs_total" integer NOT NULL,
	"jobs_done" integer DEFAULT 0 NOT NULL,
	"last_job_id" integer,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alert_rule_backtest_matches" ADD CONSTRAINT "alert_rule_backtest_matches_backtest_id_alert_rule_backtests_id_fk" FOREIGN KEY ("backtest_id") REFERENCES "public"."alert_rule_backtests"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rule_backtest_matches" ADD CONSTRAINT "alert_rule_backtest_matches_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rule_backtests" ADD CONSTRAINT "alert_rule_backtests_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rule_backtests" ADD CONSTRAINT "alert_rule_backtests_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_rule_backtest_matches_of_job" ON "alert_rule_backtest_matches" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "alert_rule_backtests_of_account" ON "alert_rule_backtests" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "alert_rule_backtests_of_entity" ON "alert_rule_backtests" USING btree ("entity_id");--> statement-breakpoint
CREATE INDEX "entity_search_by_end" ON "entity_search" USING btree ((left(reverse(replace(translate(normalize("words", NFKC), 'ΥΎΫAÆBDEƎGHIJKLMNOȢPRTUWCƐFQSZXΓΠVΩĦYΑΒΔΕΖΗΘΙΚΛΜΝΞΟΡΣΤΦΧΨϜς', 'υύϋaæbdeǝghijklmnoȣprtuwcɛfqszxγπvωħyαβδεζηθικλμνξορστφχψϝσ'), 'ß', 'ss')), 401) collate "C"));