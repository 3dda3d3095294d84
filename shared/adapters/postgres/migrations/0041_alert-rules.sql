CREATE TABLE "alert_rule_versions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_rule_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"rule_id" integer NOT NULL,
	"version" integer NOT NULL,
	"definition" jsonb NOT NULL,
	"changed_by" uuid,
	"changed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_rules" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_rules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"owner_id" uuid,
	"key" varchar(50),
	"name" varchar(120) NOT NULL,
	"description" varchar(500) NOT NULL,
	"scope" text NOT NULL,
	"query" varchar(500) NOT NULL,
	"entity_types" text[] NOT NULL,
	"action_tags" jsonb NOT NULL,
	"notifies" boolean NOT NULL,
	"webhook_url" varchar(500),
	"webhook_method" text NOT NULL,
	"webhook_headers" jsonb NOT NULL,
	"webhook_enabled" boolean NOT NULL,
	"sealed_secret" text,
	"tells_of_watched_jobs" boolean NOT NULL,
	"enabled" boolean NOT NULL,
	"auto_entity_id" integer,
	"seed_hash" text,
	"last_evaluated_at" timestamp (3) with time zone,
	"last_matched_at" timestamp (3) with time zone,
	"last_truncated_at" timestamp (3) with time zone,
	"match_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "alert_rules_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "entity_alerts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "entity_alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"rule_id" integer NOT NULL,
	"job_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" uuid,
	"entity_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_alerts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "job_alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"rule_id" integer NOT NULL,
	"job_id" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"acknowledged_at" timestamp (3) with time zone,
	"acknowledged_by" uuid
);
--> statement-breakpoint
CREATE TABLE "rule_lists" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rule_lists_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(50) NOT NULL,
	"match" text NOT NULL,
	"description" varchar(500) NOT NULL,
	"values" text[] NOT NULL,
	"source_url" varchar(500),
	"refresh_hours" smallint NOT NULL,
	"last_fetched_at" timestamp (3) with time zone,
	"last_fetch_ok" boolean,
	"last_fetch_error" varchar(300),
	"source_etag" text,
	"seed_hash" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "rule_lists_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"delivery_id" uuid NOT NULL,
	"attempt" smallint NOT NULL,
	"status_code" smallint,
	"ok" boolean NOT NULL,
	"error_message" varchar(300),
	"duration_ms" integer,
	"next_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"rule_id" integer NOT NULL,
	"job_id" integer,
	"event" text NOT NULL,
	"match_count" integer NOT NULL,
	"facts" jsonb NOT NULL,
	"state" text NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "alert_rule_versions" ADD CONSTRAINT "alert_rule_versions_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alert_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rule_versions" ADD CONSTRAINT "alert_rule_versions_changed_by_accounts_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_owner_id_accounts_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rules" ADD CONSTRAINT "alert_rules_auto_entity_id_entities_id_fk" FOREIGN KEY ("auto_entity_id") REFERENCES "public"."entities"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_alerts" ADD CONSTRAINT "entity_alerts_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alert_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_alerts" ADD CONSTRAINT "entity_alerts_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_alerts" ADD CONSTRAINT "entity_alerts_acknowledged_by_accounts_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_alerts" ADD CONSTRAINT "entity_alerts_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_alerts" ADD CONSTRAINT "job_alerts_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alert_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_alerts" ADD CONSTRAINT "job_alerts_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_alerts" ADD CONSTRAINT "job_alerts_acknowledged_by_accounts_id_fk" FOREIGN KEY ("acknowledged_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_rule_id_alert_rules_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."alert_rules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_rule_versions_of_rule" ON "alert_rule_versions" USING btree ("rule_id","version");--> statement-breakpoint
CREATE INDEX "alert_rules_of_owner" ON "alert_rules" USING btree ("owner_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "alert_rules_of_star" ON "alert_rules" USING btree ("auto_entity_id","owner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "alert_rules_of_watches" ON "alert_rules" USING btree ("owner_id") WHERE "alert_rules"."tells_of_watched_jobs";--> statement-breakpoint
CREATE UNIQUE INDEX "entity_alerts_once" ON "entity_alerts" USING btree ("job_id","rule_id","entity_id");--> statement-breakpoint
CREATE INDEX "entity_alerts_of_entity" ON "entity_alerts" USING btree ("entity_id");--> statement-breakpoint
CREATE INDEX "entity_alerts_of_account" ON "entity_alerts" USING btree ("acknowledged_by");--> statement-breakpoint
CREATE INDEX "entity_alerts_of_rule" ON "entity_alerts" USING btree ("rule_id","id");--> statement-breakpoint
CREATE INDEX "entity_alerts_unread" ON "entity_alerts" USING btree ("rule_id","id") WHERE "entity_alerts"."acknowledged_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "job_alerts_once" ON "job_alerts" USING btree ("job_id","rule_id");--> statement-breakpoint
CREATE INDEX "job_alerts_of_account" ON "job_alerts" USING btree ("acknowledged_by");--> statement-breakpoint
CREATE INDEX "job_alerts_of_rule" ON "job_alerts" USING btree ("rule_id","id");--> statement-breakpoint
CREATE INDEX "job_alerts_unread" ON "job_alerts" USING btree ("rule_id","id") WHERE "job_alerts"."acknowledged_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_attempts_of_delivery" ON "webhook_attempts" USING btree ("delivery_id","attempt");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_rule" ON "webhook_deliveries" USING btree ("rule_id","created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_job" ON "webhook_deliveries" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("due_at") WHERE "webhook_deliveries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");