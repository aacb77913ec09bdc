/** How files are sent. */
export type Sending = {
  /** The target field: `collection=…&field=…`. */
  readonly target: string
  readonly chunkBytes: number
  readonly retryDelaysMs: readonly number[]
  /** tus: the first bytes are sent in the creation request. FilePond: small files are sent in chunks, too. */
  readonly isEager?: boolean
  /** tus: each chunk is sent with its SHA-1. */
  readonly isSummed?: boolean
}

/** A completed file: its ID, and how often the client gave up and “retry” was pressed. */
export type Sent = { readonly name: string; readonly id: string; readonly byHand: number }

/** Sends files with one of the clients, as recommended in its documentation. */
export type Sender = (files: readonly File[], sending: Sending) => Promise<Sent[]>

const RETRY_PRESS_MS = 500

/** Clicks “retry” and counts the clicks for each file. */
export function openRetryPresses() {
  const presses = new Map<string, number>()
  return {
    press: async (name: string): Promise<void> => {
      presses.set(name, (presses.get(name) ?? 0) + 1)
      await new Promise((resolve) => setTimeout(resolve, RETRY_PRESS_MS))
    },
    of: (name: string): number => presses.get(name) ?? 0,
  }
}
