CREATE TABLE "detection_engines" (
	"name" text PRIMARY KEY NOT NULL,
	"enabled" boolean DEFAULT false NOT NULL,
	"program" jsonb,
	"found" jsonb,
	"found_at" timestamp (3) with time zone,
	"found_on" varchar(255),
	"found_log" text
);
