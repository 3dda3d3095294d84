/** What a browser that follows an AI run has of it, over all of its connections. */
export class Follower {
  text = '';
  /** What it sends when it comes again. */
  lastEventId: string | undefined;
  isDone = false;
  #rest = '';

  /** Takes what a connection has brought, in pieces of any size. */
  take(piece: string): void {
    const events = (this.#rest + piece).split('\n\n');
    this.#rest = events.pop() ?? '';
    for (const event of events) this.#read(event);
  }

  /** The connection is gone, and with it the event that had not come whole. */
  lose(): void {
    this.#rest = '';
  }

  #read(event: string): void {
    const fields = new Map(
      event.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const),
    );
    this.isDone ||= fields.get('event') === 'done';
    if (fields.get('event') !== 'text') return;
    const { start, text } = JSON.parse(fields.get('data')!) as { start: number; text: string };
    this.text = this.text.slice(0, start) + text;
    this.lastEventId = fields.get('id');
  }
}
