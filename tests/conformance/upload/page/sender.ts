export type Sending = {
  /** The target field as query parameters: `collection=…&field=…`. */
  readonly target: string
  readonly chunkBytes: number
  readonly retryDelaysMs: readonly number[]
  /** tus: sends the first bytes in the creation request. FilePond: also uploads small files in chunks. */
  readonly isEager?: boolean
  /** tus: each chunk has a SHA-1 checksum. */
  readonly isSummed?: boolean
}

/** An uploaded file: its ID, and the number of manual retries after the client gave up. */
export type Sent = { readonly name: string; readonly id: string; readonly byHand: number }

/** Uploads files with one of the clients, configured as its documentation recommends. */
export type Sender = (files: readonly File[], sending: Sending) => Promise<Sent[]>

const RETRY_PRESS_MS = 500

/** Simulates a user who clicks “Retry”, and counts the clicks per file. */
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
