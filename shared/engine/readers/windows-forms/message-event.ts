import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { providerOf } from './event-log.ts';
import { toldData } from './told-data.ts';
import { filled } from './win-event.ts';

/** What a program tells of an event of which it has sent the message. */
export interface MessageEvent {
  readonly channel: string;
  readonly eventId: string;
  /** As the program names it, which need not be as Windows does. */
  readonly provider: string;
  readonly time: JsonValue | undefined;
  readonly computer: JsonValue | undefined;
  readonly recordId?: JsonValue | undefined;
  readonly user?: JsonValue | undefined;
  readonly task?: JsonValue | undefined;
  readonly message: string;
}

/** The event, in a layout of json_evtx, with what its message says. */
export function messageEvent(given: MessageEvent): JsonObject {
  const { channel, eventId, time, computer, recordId, user, task, message } = given;
  const provider = providerOf(given.provider, channel, eventId);
  return {
    System: {
      Provider: filled({ Name: provider }),
      TimeCreated: filled({ SystemTime: time }),
      ...filled({ EventID: eventId, EventRecordID: recordId, Channel: channel, Computer: computer }),
    },
    EventData: toldData({ provider, eventId, values: [], message }),
    RenderingInfo: filled({ Message: message, Task: task, User: user }),
  };
}
