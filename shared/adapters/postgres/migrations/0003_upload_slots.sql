CREATE TABLE "upload_slots" (
	"id" char(32) PRIMARY KEY NOT NULL,
	"storage_key" varchar(100),
	"file_name" varchar(512) NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" char(64) NOT NULL,
	"user_id" uuid,
	"ip" varchar(45) NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used" boolean DEFAULT false NOT NULL,
	"fingerprint" char(64),
	"job_id" integer,
	"reused" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "upload_slots" ADD CONSTRAINT "upload_slots_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "upload_slots_by_expiry" ON "upload_slots" USING btree ("expires_at");