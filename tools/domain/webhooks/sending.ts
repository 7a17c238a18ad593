/** One event on its way to one receiver. */
export interface WebhookToSend {
  readonly url: string;
  readonly secret: string;
  /** The exact bytes that are signed and sent. */
  readonly body: string;
  /** For receivers that want to know a repeat from another event; not part of the signature. */
  readonly deliveryId: string;
}

/** What came of one attempt. Anything but a 2xx is a failure. */
export type SentWebhook = (
  | { readonly ok: true; readonly status: number }
  | { readonly ok: false; readonly status: number | null; readonly reason: string }
) & {
  /** The first of what the receiver answered, as text. */
  readonly answer?: string;
};

declare module '../../core/ports.ts' {
  interface Receivers {
    /** Sends one webhook once, as those of events are sent; ends when it is told to stop. */
    send(message: WebhookToSend, stop: AbortSignal): Promise<SentWebhook>;
  }
}
