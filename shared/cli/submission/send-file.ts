import { operations, RequestError, type SubmittedJob, type UploadTicket } from '@svc/contracts';
import type { Input } from '../inputs/find-inputs.ts';
import type { Service } from '../service/service.ts';
import type { SubmissionParts } from './idempotency-key.ts';
import { changed, chunksOf } from './read-file.ts';

/** One file and what to do with it. */
export interface Submission extends SubmissionParts {
  readonly input: Input;
  readonly bytes: number;
  readonly force: boolean;
  readonly key: string;
}

export interface SendWatch {
  readonly signal: AbortSignal;
  /** How many bytes of the file have left; begins anew with each try. */
  sent(bytes: number): void;
}

/** Sends one file by way of a reserved upload; what has arrived is not sent again when it is tried again. */
export class Sender {
  readonly #service: Service;
  readonly #submission: Submission;
  readonly #watch: SendWatch;
  #ticket: UploadTicket | null = null;

  constructor(service: Service, submission: Submission, watch: SendWatch) {
    this.#service = service;
    this.#submission = submission;
    this.#watch = watch;
  }

  /** Throws as `Service` does, and a `FileError`. After a failure to connect it may be called again. */
  async send(): Promise<SubmittedJob> {
    if (this.#ticket !== null) {
      const job = await this.#submitSent(this.#ticket);
      if (job !== null) return job;
    }
    this.#ticket = await this.#reserve();
    await this.#put(this.#ticket);
    return this.#submit(this.#ticket);
  }

  /** For bytes that may have arrived at an earlier try; null when that upload is of no more use. */
  async #submitSent(ticket: UploadTicket): Promise<SubmittedJob | null> {
    try {
      return await this.#submit(ticket);
    } catch (error) {
      if (error instanceof RequestError && error.code === 'no_upload') return null;
      if (!(error instanceof RequestError) || error.code !== 'upload_incomplete') throw error;
    }
    try {
      await this.#put(ticket);
    } catch (error) {
      // Whatever is wrong with this address, a new one may do.
      if (error instanceof RequestError && error.status < 500 && error.status !== 429) return null;
      throw error;
    }
    return this.#submit(ticket);
  }

  #reserve(): Promise<UploadTicket> {
    const { fileName, bytes, sha256 } = this.#submission;
    const { signal } = this.#watch;
    return this.#service.call(operations.createUpload, { filename: fileName, size_bytes: bytes, sha256 }, { signal });
  }

  async #put(ticket: UploadTicket): Promise<void> {
    const { input, bytes } = this.#submission;
    let sent = 0;
    this.#watch.sent(0);
    const chunks = () => chunksOf(input, bytes, (more) => this.#watch.sent((sent += more)));
    try {
      await this.#service.put(ticket, { bytes, chunks }, this.#watch.signal);
    } catch (error) {
      if (error instanceof RequestError && /^(digest|length)_mismatch$/.test(error.code)) throw changed(input.name);
      throw error;
    }
  }

  #submit(ticket: UploadTicket): Promise<SubmittedJob> {
    const { workflowId, logType, isPrivate, force, caseId, tags, key } = this.#submission;
    return this.#service.call(
      operations.submitJob,
      {
        upload_id: ticket.upload_id,
        workflow_id: workflowId,
        log_type_override: logType,
        is_private: isPrivate,
        force_resubmit: force,
        ...(caseId !== null && { case_id: caseId }),
        tags: [...tags],
      },
      { signal: this.#watch.signal, idempotencyKey: key },
    );
  }
}
