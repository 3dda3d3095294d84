/** Since when pages of feeds say what they say. */
export interface FeedPages {
  /**
   * The second in which the page was first read as it is now, later than any of what it said before.
   * @param page - digest of who asks, and for what
   * @param tag - digest of what it says
   */
  unchangedSince(page: string, tag: string, now: Date): Promise<Date>;
}
