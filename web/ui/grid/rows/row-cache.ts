import { BLOCK_ROWS, blockSpan, planRequests } from './row-window.ts'

/** Reads a run of rows by ordinal; gives up when the signal says so. */
export type LoadRows<Row> = (first: number, count: number, signal: AbortSignal) => Promise<readonly Row[]>

/** What a block of rows is doing. */
export type BlockState = 'missing' | 'loading' | 'loaded' | 'failed'

/** Rows by ordinal, kept in blocks, for one order and one filter of a list. */
export type RowCache<Row> = {
  readonly rowAt: (ordinal: number) => Row | undefined
  readonly blockState: (block: number) => BlockState
  /** Makes sure these blocks come, and calls off every running request for another one. */
  readonly need: (blocks: readonly number[]) => void
  /** Whether a block that is wanted now could not be read. */
  readonly hasFailed: () => boolean
  /** Asks again for the wanted blocks that failed. */
  readonly retry: () => void
  /** Calls everything off; nothing that is still under way is ever shown. */
  readonly close: () => void
}

/** 200 blocks are 20,000 rows: far more than anybody scrolls over, and bounded however long they scroll. */
const MAX_CACHED_BLOCKS = 200

/** Keeps the rows around the window: asks by blocks, drops late answers, and forgets what was left long ago. */
export function createRowCache<Row>(options: {
  total: number
  load: LoadRows<Row>
  onChange: () => void
}): RowCache<Row> {
  const { total, load, onChange } = options
  const loaded = createBlockStore<Row>()
  const running = new Map<number, AbortController>()
  const failed = new Set<number>()
  let wanted: readonly number[] = []

  const ask = async (block: number) => {
    const request = new AbortController()
    running.set(block, request)
    const { first, end } = blockSpan(block, total)
    const rows = await load(first, end - first, request.signal).then(
      (found) => found,
      () => undefined,
    )
    const isLate = running.get(block) !== request
    if (isLate) return
    running.delete(block)
    if (rows) loaded.keep(block, rows, wanted)
    else failed.add(block)
    onChange()
  }
  const callOff = (block: number) => {
    running.get(block)?.abort()
    running.delete(block)
  }
  const plan = () => {
    const isHere = (block: number) => loaded.has(block) || failed.has(block)
    const { ask: missing, cancel } = planRequests({ needed: wanted, loaded: isHere, running: [...running.keys()] })
    for (const block of cancel) callOff(block)
    for (const block of missing) void ask(block)
  }

  return {
    rowAt: loaded.rowAt,
    blockState: (block) => {
      if (loaded.has(block)) return 'loaded'
      if (running.has(block)) return 'loading'
      return failed.has(block) ? 'failed' : 'missing'
    },
    need: (blocks) => {
      wanted = blocks
      for (const block of blocks) loaded.touch(block)
      plan()
    },
    hasFailed: () => wanted.some((block) => failed.has(block)),
    retry: () => {
      failed.clear()
      plan()
      onChange()
    },
    close: () => {
      for (const block of running.keys()) callOff(block)
      wanted = []
    },
  }
}

/** Blocks in the order in which they were last wanted, which is the order in which they are forgotten. */
function createBlockStore<Row>() {
  const blocks = new Map<number, readonly Row[]>()
  return {
    has: (block: number) => blocks.has(block),
    rowAt: (ordinal: number) => blocks.get(Math.floor(ordinal / BLOCK_ROWS))?.[ordinal % BLOCK_ROWS],
    touch: (block: number) => {
      const rows = blocks.get(block)
      if (rows === undefined) return
      blocks.delete(block)
      blocks.set(block, rows)
    },
    keep: (block: number, rows: readonly Row[], wanted: readonly number[]) => {
      blocks.set(block, rows)
      for (const old of blocks.keys()) {
        if (blocks.size <= MAX_CACHED_BLOCKS) break
        if (!wanted.includes(old)) blocks.delete(old)
      }
    },
  }
}
