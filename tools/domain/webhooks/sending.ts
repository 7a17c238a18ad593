/** What a webhook is sent with: the exact bytes, and what signs them. */
export interface WebhookToSend {
  readonly url: string;
  readonly secret: string;
  readonly body: string;
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
