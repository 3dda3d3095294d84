CREATE TABLE "enrichment_runs" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "enrichment_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"service_id" integer NOT NULL,
	"case_id" integer,
	"requested_by" uuid,
	"entity_ids" integer[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "enrichment_services" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "enrichment_services_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(80) NOT NULL,
	"provider_key" varchar(40) NOT NULL,
	"entity_types" jsonb NOT NULL,
	"link_template" varchar(500),
	"api_template" varchar(500),
	"api_method" text NOT NULL,
	"api_headers" jsonb NOT NULL,
	"api_body" varchar(2000),
	"sealed_token" text,
	"cache_ttl_seconds" integer NOT NULL,
	"per_minute" integer,
	"summary_fields" jsonb NOT NULL,
	"verdict_rules" jsonb NOT NULL,
	"enabled" boolean NOT NULL,
	"display_order" integer NOT NULL,
	"notes" varchar(2000) NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"open_until" timestamp (3) with time zone,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "enrichment_services_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "entity_enrichments" (
	"entity_id" integer NOT NULL,
	"service_id" integer NOT NULL,
	"response" text,
	"summary" jsonb NOT NULL,
	"verdict" text NOT NULL,
	"ok" boolean NOT NULL,
	"error_message" text,
	"fetched_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "entity_enrichments_entity_id_service_id_pk" PRIMARY KEY("entity_id","service_id")
);
--> statement-breakpoint
ALTER TABLE "enrichment_runs" ADD CONSTRAINT "enrichment_runs_service_id_enrichment_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."enrichment_services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrichment_runs" ADD CONSTRAINT "enrichment_runs_case_id_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."cases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrichment_runs" ADD CONSTRAINT "enrichment_runs_requested_by_accounts_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_enrichments" ADD CONSTRAINT "entity_enrichments_entity_id_entities_id_fk" FOREIGN KEY ("entity_id") REFERENCES "public"."entities"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "entity_enrichments" ADD CONSTRAINT "entity_enrichments_service_id_enrichment_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "public"."enrichment_services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "enrichment_runs_of_case" ON "enrichment_runs" USING btree ("case_id","service_id","id");--> statement-breakpoint
CREATE INDEX "enrichment_runs_of_service" ON "enrichment_runs" USING btree ("service_id");--> statement-breakpoint
CREATE INDEX "enrichment_runs_requested_by" ON "enrichment_runs" USING btree ("requested_by");--> statement-breakpoint
CREATE INDEX "entity_enrichments_of_service" ON "entity_enrichments" USING btree ("service_id");--> statement-breakpoint
CREATE INDEX "entity_enrichments_fetched" ON "entity_enrichments" USING btree ("fetched_at");