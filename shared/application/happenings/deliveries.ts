import { queueDueWebhooks, type QueueWebhooksPorts } from '../alerts/queue-due-webhooks.ts';
import type { Ports } from '../ports/ports.ts';
import { drainHappenings, type DrainPorts } from './drain-happenings.ts';

type BothPorts = DrainPorts & QueueWebhooksPorts;
type DeliveryPorts = BothPorts & Pick<Ports, 'happeningBell'>;

/** Has happenings delivered before the request is answered that they are of: where a function stands still afterwards. */
export function deliverAtOnce(ports: DeliveryPorts): void {
  const deliveries = new Deliveries(ports);
  ports.happeningBell.answer(() => deliveries.run());
}

/** Has them delivered beside all else, as soon as they are committed; what is there from before, now. */
export function deliverAside(ports: DeliveryPorts): Deliveries {
  const deliveries = new Deliveries(ports);
  ports.happeningBell.answer(async () => void deliveries.run());
  void deliveries.run();
  return deliveries;
}

/**
 * Drains when it is told to, one at a time in this process; told meanwhile, once more afterwards. Never rejects: what is
 * left is for the next sweep.
 */
export class Deliveries {
  readonly #ports: BothPorts;
  #isWanted = false;
  #running: Promise<void> | null = null;

  constructor(ports: BothPorts) {
    this.#ports = ports;
  }

  /** Resolves when all is delivered that was there; at once when another call sees to it. */
  async run(): Promise<void> {
    this.#isWanted = true;
    if (this.#running !== null) return;
    this.#running = this.#drain();
    await this.#running;
  }

  /** Resolves when none is under way. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await drainHappenings(this.#ports);
        // Also what has just come of these.
        await queueDueWebhooks(this.#ports);
      }
    } catch (error) {
      this.#ports.log.warn('what has happened could not be delivered yet', { error });
    } finally {
      this.#running = null;
    }
  }
}
