import { useEffect, useMemo, useReducer } from 'react'
import type { WindowSource } from './grid-source.ts'
import { createRowCache, type LoadRows } from './row-cache.ts'
import { blocksOf } from './row-window.ts'

/**
 * Rows for the windowed mode, read in blocks as they come into sight. `key` names the order and filter of the list:
 * another key begins with nothing, and late answers to the old one are dropped. `load` must be stable.
 */
export function useWindowSource<Row>(input: {
  readonly key: string
  readonly total: number
  readonly load: LoadRows<Row>
}): WindowSource<Row> {
  const { key, total, load } = input
  const [version, bumpVersion] = useReducer((count: number) => count + 1, 0)
  const cache = useMemo(() => ({ key, ...createRowCache({ total, load, onChange: bumpVersion }) }), [key, total, load])
  useEffect(() => cache.close, [cache])

  return useMemo(
    () => ({
      kind: 'window',
      version,
      total,
      rowAt: cache.rowAt,
      onNeedRows: (spans) => cache.need(blocksOf(spans)),
      failure: cache.hasFailed() ? { retry: cache.retry } : undefined,
    }),
    [cache, total, version],
  )
}
