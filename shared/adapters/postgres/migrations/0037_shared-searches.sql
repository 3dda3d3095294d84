CREATE TABLE "saved_search_looks" (
	"search_id" integer NOT NULL,
	"account_id" uuid NOT NULL,
	"looked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saved_search_looks_search_id_account_id_pk" PRIMARY KEY("search_id","account_id")
);
--> statement-breakpoint
ALTER TABLE "saved_searches" ADD COLUMN "is_shared" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_search_looks" ADD CONSTRAINT "saved_search_looks_search_id_saved_searches_id_fk" FOREIGN KEY ("search_id") REFERENCES "public"."saved_searches"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_search_looks" ADD CONSTRAINT "saved_search_looks_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_search_looks_of_account" ON "saved_search_looks" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "saved_searches_shared" ON "saved_searches" USING btree ("scope") WHERE "saved_searches"."is_shared";