/** How files are sent. */
export type Sending = {
  /** The field they are sent to: `collection=…&field=…`. */
  readonly target: string
  readonly chunkBytes: number
  readonly retryDelaysMs: readonly number[]
  /** tus: the first bytes go with the creation. FilePond: small files are sent in chunks, too. */
  readonly isEager?: boolean
}

/** A file that arrived: its id, and how often its client had given up and a hand had to press “retry”. */
export type Sent = { readonly name: string; readonly id: string; readonly byHand: number }

/** Sends files with one of the clients, in the way its own documentation says. */
export type Sender = (files: readonly File[], sending: Sending) => Promise<Sent[]>

/** A hand that presses “retry” more often than this has met a bug. */
const MOST_BY_HAND = 2000

/** Counts how often each file had to be helped, and ends what never ends. */
export function openHands() {
  const presses = new Map<string, number>()
  return {
    press: (name: string): void => {
      const count = (presses.get(name) ?? 0) + 1
      if (count > MOST_BY_HAND) throw new Error(`${name} was tried again by hand ${count} times.`)
      presses.set(name, count)
    },
    of: (name: string): number => presses.get(name) ?? 0,
  }
}
