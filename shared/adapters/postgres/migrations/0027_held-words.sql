ALTER TABLE "task_results" ADD COLUMN "held" text[];--> statement-breakpoint
CREATE INDEX "task_results_by_held" ON "task_results" USING gin ("held") WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "task_results_without_held" ON "task_results" USING btree ("id") WHERE "task_results"."held" is null and "task_results"."status" = 'completed';