CREATE TABLE "site_settings" (
	"name" varchar(80) PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
