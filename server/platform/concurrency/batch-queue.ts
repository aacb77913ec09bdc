/** Takes things one by one, and settles each once it was handled. */
export type BatchQueue<Item> = { readonly take: (item: Item) => Promise<void> }

type Waiting<Item> = {
  readonly item: Promise<Item>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** How a line makes its items ready, and handles those that wait together; it answers how long that kept others waiting. */
type BatchQueueDeps<Raw, Item> = {
  readonly prepare: (raw: Raw) => Promise<Item>
  readonly handle: (items: readonly Item[]) => Promise<{ readonly tookMs: number }>
  /** So many at once at most. */
  readonly most: number
  /** And no more than take so long. */
  readonly longestMs: number
}

/**
 * Handles what comes in its order: each is made ready while those before it are handled, one after the other, and what
 * waits meanwhile is handled together, as many as that may take. After a fault nothing more is handled.
 */
export function createBatchQueue<Raw, Item>({
  prepare,
  handle,
  most,
  longestMs,
}: BatchQueueDeps<Raw, Item>): BatchQueue<Raw> {
  const line: Waiting<Item>[] = []
  let ready: Promise<unknown> = Promise.resolve()
  let together = 1
  let isServing = false
  let fault: { readonly error: unknown } | undefined

  async function handleSome(some: readonly Waiting<Item>[]): Promise<void> {
    if (fault) throw fault.error
    const { tookMs } = await handle(await Promise.all(some.map(({ item }) => item)))
    together = Math.max(1, Math.min(most, Math.floor((longestMs * some.length) / tookMs)))
  }

  async function serve(): Promise<void> {
    isServing = true
    while (line.length > 0) {
      const some = line.splice(0, together)
      await handleSome(some).then(
        () => some.forEach(({ resolve }) => resolve()),
        (error: unknown) => {
          fault ??= { error }
          for (const { reject } of some) reject(error)
        },
      )
    }
    isServing = false
  }

  return {
    take: (raw) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const item = ready.then(() => prepare(raw))
      // Whoever waits for it hears of its fault when its turn comes.
      ready = item.then(undefined, () => undefined)
      line.push({ item, resolve, reject })
      if (!isServing) void serve()
      return promise
    },
  }
}
