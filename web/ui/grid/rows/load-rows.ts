import { useEffect, useMemo, useReducer, useRef } from 'react'
import type { GridSource, WindowSource } from '#web/ui/grid/grid-props.ts'
import { BLOCK_ROWS, blocksOf, blockSpan, type GridLines, planRequests, type Span, spansOf } from './row-window.ts'
import type { GridGrouping } from '#web/ui/grid/groups/group-rows.ts'
import type { GridViewport } from '#web/ui/grid/rows/use-grid-viewport.ts'

type LoadRows<Row> = (first: number, count: number, signal: AbortSignal) => Promise<readonly Row[]>

/** 200 blocks of 100 rows: more than users scroll through, but bounded. */
const MAX_CACHED_BLOCKS = 200

/**
 * Caches rows around the viewport: requests blocks, ignores outdated responses, and evicts the least recently used
 * blocks.
 */
export function createRowCache<Row>(options: { total: number; load: LoadRows<Row>; onChange: () => void }) {
  const { total, load, onChange } = options
  const loaded = createBlockStore<Row>()
  const running = new Map<number, AbortController>()
  const failed = new Set<number>()
  let wanted: readonly number[] = []

  const fetchBlock = async (block: number) => {
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
    if (rows) loaded.store(block, rows, wanted)
    else failed.add(block)
    onChange()
  }
  const cancelBlock = (block: number) => {
    running.get(block)?.abort()
    running.delete(block)
  }
  const plan = () => {
    const isSettled = (block: number) => loaded.has(block) || failed.has(block)
    const { ask: missing, cancel } = planRequests({ needed: wanted, loaded: isSettled, running: [...running.keys()] })
    for (const block of cancel) cancelBlock(block)
    for (const block of missing) void fetchBlock(block)
  }

  return {
    rowAt: loaded.rowAt,
    blockState: (block: number) => {
      if (loaded.has(block)) return 'loaded'
      if (running.has(block)) return 'loading'
      return failed.has(block) ? 'failed' : 'missing'
    },
    need: (blocks: readonly number[]) => {
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
      for (const block of running.keys()) cancelBlock(block)
      wanted = []
    },
  }
}

/** Blocks ordered by last use, so that the least recently used is evicted first. */
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
    store: (block: number, rows: readonly Row[], wanted: readonly number[]) => {
      blocks.set(block, rows)
      for (const old of blocks.keys()) {
        if (blocks.size <= MAX_CACHED_BLOCKS) break
        if (!wanted.includes(old)) blocks.delete(old)
      }
    },
  }
}

type PreviousRows<Row> = {
  readonly key: string
  readonly asOf: number
  readonly rowAt: (ordinal: number) => Row | undefined
}

/**
 * Rows for the virtualized mode, loaded in blocks on scroll. A new `key`, for another order or filter, starts empty and
 * ignores responses for the old key. A new `asOf` reloads the same list; existing rows stay until their blocks arrive.
 * `load` must be stable.
 */
export function useWindowSource<Row>(input: {
  readonly key: string
  readonly asOf: number
  readonly total: number
  readonly load: LoadRows<Row>
}): WindowSource<Row> {
  const { key, asOf, total, load } = input
  const [version, bumpVersion] = useReducer((count: number) => count + 1, 0)
  const last = useRef<PreviousRows<Row> | undefined>(undefined)
  const cache = useMemo(() => {
    const before = last.current?.key === key && last.current.asOf !== asOf ? last.current.rowAt : undefined
    return { key, asOf, before, ...createRowCache({ total, load, onChange: bumpVersion }) }
  }, [key, asOf, total, load])
  useEffect(() => {
    last.current = { key: cache.key, asOf: cache.asOf, rowAt: cache.rowAt }
    return cache.close
  }, [cache])

  return useMemo(
    () => ({
      kind: 'window',
      version,
      total,
      rowAt: (ordinal) => cache.rowAt(ordinal) ?? (ordinal < total ? cache.before?.(ordinal) : undefined),
      onNeedRows: (spans) => cache.need(blocksOf(spans)),
      failure: cache.hasFailed() ? { retry: cache.retry } : undefined,
    }),
    [cache, total, version],
  )
}

/** Minimum interval in ms between requests, so that a fast scroll requests only its destination. */
const MIN_INTERVAL_MS = 80

/** Number of rows requested ahead in the scroll direction. */
const LINES_AHEAD = 200

export function useRowRequests<Row>(
  source: GridSource<Row>,
  lines: GridLines,
  view: GridViewport,
  grouping: GridGrouping | undefined,
): void {
  const { drawnLines, span } = view
  const requestedAtMs = useRef(Number.NEGATIVE_INFINITY)
  const requestedFirst = useRef(0)
  useEffect(() => {
    if (source.kind !== 'window') return undefined
    const fetchBlock = () => {
      const moved = span.first - requestedFirst.current
      // A fast scroll requests no rows ahead.
      const direction = Math.abs(moved) > LINES_AHEAD ? 0 : Math.sign(moved)
      requestedAtMs.current = performance.now()
      requestedFirst.current = span.first
      const needed = spansOf(ordinalsOf(lines, [...drawnLines, ...linesAhead(span, direction)]))
      source.onNeedRows(needed)
      grouping?.onShown?.(needed)
    }
    const timer = setTimeout(fetchBlock, Math.max(0, requestedAtMs.current + MIN_INTERVAL_MS - performance.now()))
    return () => clearTimeout(timer)
  }, [source, lines, drawnLines, span, grouping])
}

function linesAhead(span: Span, direction: number): number[] {
  if (direction === 0) return []
  const edge = direction > 0 ? span.end - 1 : span.first
  return Array.from({ length: LINES_AHEAD }, (_, i) => edge + direction * (i + 1))
}

function ordinalsOf(lines: GridLines, wanted: readonly number[]): number[] {
  const ordinals = wanted.flatMap((line) => {
    const found = lines.lineAt(line)
    return found?.kind === 'row' ? [found.ordinal] : []
  })
  return [...new Set(ordinals)].toSorted((a, b) => a - b)
}
