-- Not made anew, which takes minutes where there are many.
ALTER INDEX "entity_search_by_words" SET (fastupdate = true, gin_pending_list_limit = 1024);--> statement-breakpoint
ALTER INDEX "entity_search_by_facet" SET (fastupdate = true, gin_pending_list_limit = 1024);
