CREATE TABLE "rule_artifacts" (
	"digest" char(64) PRIMARY KEY NOT NULL,
	"storage_key" varchar(100) NOT NULL,
	"loaded" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rule_overrides" (
	"pack_name" varchar(64) NOT NULL,
	"rule_id" varchar(100) NOT NULL,
	"enabled" boolean NOT NULL,
	"level" text,
	CONSTRAINT "rule_overrides_pack_name_rule_id_pk" PRIMARY KEY("pack_name","rule_id")
);
--> statement-breakpoint
CREATE TABLE "rule_pack_versions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rule_pack_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"pack_name" varchar(64) NOT NULL,
	"in_force" boolean NOT NULL,
	"version" varchar(100) NOT NULL,
	"digest" char(64) NOT NULL,
	"source" text NOT NULL,
	"licence" varchar(100),
	"loaded" integer NOT NULL,
	"rejected" integer NOT NULL,
	"retired" integer NOT NULL,
	"warnings" integer NOT NULL,
	"dated_at" varchar(10) NOT NULL,
	"imported_at" timestamp (3) with time zone NOT NULL,
	"imported_by" uuid,
	"files_key" varchar(100) NOT NULL,
	"report_key" varchar(100) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rule_packs" (
	"name" varchar(64) PRIMARY KEY NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"url" text,
	"checked_at" timestamp (3) with time zone,
	"check_error" text
);
--> statement-breakpoint
ALTER TABLE "rule_overrides" ADD CONSTRAINT "rule_overrides_pack_name_rule_packs_name_fk" FOREIGN KEY ("pack_name") REFERENCES "public"."rule_packs"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_pack_versions" ADD CONSTRAINT "rule_pack_versions_pack_name_rule_packs_name_fk" FOREIGN KEY ("pack_name") REFERENCES "public"."rule_packs"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rule_pack_versions" ADD CONSTRAINT "rule_pack_versions_imported_by_accounts_id_fk" FOREIGN KEY ("imported_by") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rule_artifacts_by_age" ON "rule_artifacts" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "rule_pack_versions_in_force" ON "rule_pack_versions" USING btree ("pack_name") WHERE "rule_pack_versions"."in_force";--> statement-breakpoint
CREATE UNIQUE INDEX "rule_pack_versions_content" ON "rule_pack_versions" USING btree ("pack_name","digest");