CREATE TABLE "activity" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"place" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"actor_id" uuid,
	"actor_label" varchar(255) NOT NULL,
	"actor_ip" text NOT NULL,
	"action" varchar(80) NOT NULL,
	"category" text NOT NULL,
	"target_type" varchar(40),
	"target_id" varchar(64),
	"outcome" text NOT NULL,
	"summary" varchar(500) NOT NULL,
	"metadata" varchar(4000),
	"request_id" varchar(64) NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "activity_days" (
	"day" date PRIMARY KEY NOT NULL,
	"rows" integer NOT NULL,
	"previous" text NOT NULL,
	"head" text NOT NULL,
	"is_pruned" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "activity" ADD CONSTRAINT "activity_actor_id_accounts_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "activity_by_place" ON "activity" USING btree ("day","place");--> statement-breakpoint
CREATE INDEX "activity_at" ON "activity" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "activity_of_category" ON "activity" USING btree ("category","at","id");--> statement-breakpoint
CREATE INDEX "activity_of_action" ON "activity" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "activity_of_target" ON "activity" USING btree ("target_id","at");--> statement-breakpoint
CREATE INDEX "activity_of_actor" ON "activity" USING btree ("actor_id") WHERE "activity"."actor_id" is not null;