CREATE TABLE "entity_totals" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "entity_totals_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"many" integer NOT NULL
);
--> statement-breakpoint
INSERT INTO "entity_totals" ("type", "many") SELECT "type", count(*) FROM "entities" GROUP BY "type";
