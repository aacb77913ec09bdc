import { useState } from 'react'
import type { DressedList } from './dressing-props.ts'

/** Whether rows of the list, as it is filtered now, have been there: what is asked besides waits for them. */
export function useHasRows({ listing, source }: Pick<DressedList, 'listing' | 'source'>): boolean {
  const key = JSON.stringify([listing.filter, listing.search])
  const isThere =
    source.kind === 'page' ? source.loadingRows === undefined : source.total === 0 || source.rowAt(0) !== undefined
  const [held, setHeld] = useState<string>()
  if (isThere && held !== key) setHeld(key)
  return isThere || held === key
}
