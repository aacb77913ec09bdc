export type BatchQueue<Item> = { readonly take: (item: Item) => Promise<void> }

type Waiting<Item> = {
  readonly item: Promise<Item>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

type BatchQueueDeps<Raw, Item> = {
  readonly prepare: (raw: Raw) => Promise<Item>
  readonly handle: (items: readonly Item[]) => Promise<{ readonly tookMs: number }>
  readonly max: number
  readonly longestMs: number
}

/**
 * Processes items in order and stops at the first error. Items are prepared while earlier items are processed, and
 * queued items are processed in batches.
 */
export function createBatchQueue<Raw, Item>({
  prepare,
  handle,
  max,
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
    together = Math.max(1, Math.min(max, Math.floor((longestMs * some.length) / tookMs)))
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
      // A preparation error is reported only when the item would be processed.
      ready = item.then(undefined, () => undefined)
      line.push({ item, resolve, reject })
      if (!isServing) void serve()
      return promise
    },
  }
}
