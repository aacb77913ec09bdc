import { useState } from 'react'
import type { GridSource } from '#web/ui/grid/grid-source.ts'
import type { DecoratedList } from './decoration-types.ts'

/** Whether a list has its first rows, or is known to have none. */
export const hasRows = <Row>(source: GridSource<Row>): boolean =>
  source.kind === 'page' ? source.loadingRows === undefined : source.total === 0 || source.rowAt(0) !== undefined

/** Whether rows of the list, as it is filtered now, have been there: what is asked besides waits for them. */
export function useHasRows({ listing, source }: Pick<DecoratedList, 'listing' | 'source'>): boolean {
  const key = JSON.stringify([listing.filter, listing.search])
  const isThere = hasRows(source)
  const [held, setHeld] = useState<string>()
  if (isThere && held !== key) setHeld(key)
  return isThere || held === key
}
