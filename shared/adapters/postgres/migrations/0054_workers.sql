CREATE TABLE "worker_policies" (
	"hostname" varchar(255) PRIMARY KEY NOT NULL,
	"cap" integer NOT NULL,
	CONSTRAINT "worker_policies_cap" CHECK ("worker_policies"."cap" >= -1)
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"process" varchar(300) PRIMARY KEY NOT NULL,
	"hostname" varchar(255) NOT NULL,
	"facts" jsonb NOT NULL,
	"jobs" jsonb NOT NULL,
	"counts" jsonb NOT NULL,
	"last_seen" timestamp (3) with time zone NOT NULL,
	"alive_until" timestamp (3) with time zone NOT NULL,
	"slots_until" timestamp (3) with time zone NOT NULL
);
