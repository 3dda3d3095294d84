CREATE TABLE "happening_deliveries" (
	"consumer" text NOT NULL,
	"happening_id" bigint NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" integer NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "happening_deliveries_consumer_happening_id_pk" PRIMARY KEY("consumer","happening_id")
);
--> statement-breakpoint
CREATE TABLE "happenings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "happenings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject_kind" text NOT NULL,
	"subject_id" integer NOT NULL,
	"by" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	"facts" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "happening_deliveries" ADD CONSTRAINT "happening_deliveries_happening_id_happenings_id_fk" FOREIGN KEY ("happening_id") REFERENCES "public"."happenings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "happening_deliveries_of_subject" ON "happening_deliveries" USING btree ("consumer","subject_kind","subject_id","happening_id");--> statement-breakpoint
CREATE INDEX "happening_deliveries_of_happening" ON "happening_deliveries" USING btree ("happening_id");