CREATE TABLE "dropped_objects" (
	"key" varchar(100) PRIMARY KEY NOT NULL,
	"dropped_at" timestamp (3) with time zone NOT NULL
);
