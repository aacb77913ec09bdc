/** How files are sent. */
export type Sending = {
  /** The field they are sent to: `collection=…&field=…`. */
  readonly target: string
  readonly chunkBytes: number
  readonly retryDelaysMs: readonly number[]
  /** tus: the first bytes go with the creation. FilePond: small files are sent in chunks, too. */
  readonly isEager?: boolean
  /** tus: each chunk goes with its SHA-1. */
  readonly isSummed?: boolean
}

/** A file that arrived: its id, and how often its client had given up and a hand had to press “retry”. */
export type Sent = { readonly name: string; readonly id: string; readonly byHand: number }

/** Sends files with one of the clients, in the way its own documentation says. */
export type Sender = (files: readonly File[], sending: Sending) => Promise<Sent[]>

const HAND_MS = 500

/** Presses “retry” as a person would, and counts how often each file had to be helped. */
export function openHands() {
  const presses = new Map<string, number>()
  return {
    press: async (name: string): Promise<void> => {
      presses.set(name, (presses.get(name) ?? 0) + 1)
      await new Promise((resolve) => setTimeout(resolve, HAND_MS))
    },
    of: (name: string): number => presses.get(name) ?? 0,
  }
}
