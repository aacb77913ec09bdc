import { useEffect, useMemo, useReducer, useRef } from 'react'
import type { WindowSource } from '#web/ui/grid/grid-source.ts'
import { createRowCache, type LoadRows } from './row-cache.ts'
import { blocksOf } from './row-window.ts'

/** The rows of the list as it was read before. */
type Known<Row> = {
  readonly key: string
  readonly asOf: number
  readonly rowAt: (ordinal: number) => Row | undefined
}

/**
 * Rows for the windowed mode, read in blocks as they come into sight. `key` names the order and filter of the list:
 * another key begins with nothing, and late answers to the old one are dropped. Another `asOf` reads the same list
 * again; until its blocks are here, the rows that were known before stay in sight. `load` must be stable.
 */
export function useWindowSource<Row>(input: {
  readonly key: string
  readonly asOf: number
  readonly total: number
  readonly load: LoadRows<Row>
}): WindowSource<Row> {
  const { key, asOf, total, load } = input
  const [version, bumpVersion] = useReducer((count: number) => count + 1, 0)
  const last = useRef<Known<Row> | undefined>(undefined)
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
