CREATE TABLE "file_digests" (
	"file_id" integer PRIMARY KEY NOT NULL,
	"head" integer NOT NULL,
	"checksum" smallint NOT NULL,
	"code" bit(384) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "uploaded_files" ADD COLUMN "tlsh" varchar(72);--> statement-breakpoint
ALTER TABLE "file_digests" ADD CONSTRAINT "file_digests_file_id_uploaded_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."uploaded_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "file_digests_by_head" ON "file_digests" USING btree ("head");--> statement-breakpoint
CREATE INDEX "findings_of_signature" ON "findings" USING btree ("rule_signature","job_id","count");--> statement-breakpoint
CREATE INDEX "uploaded_files_without_tlsh" ON "uploaded_files" USING btree ("id") WHERE "uploaded_files"."tlsh" is null;