import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { GridSource } from '#web/ui/grid/grid-props.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'

import { type DecoratedList, type Decorations, type DecorationsState, hasRows } from './decorated-list.ts'

/** A list can be read before it is summed up and coloured. */
const decorationsModule = lazyModule(() => import('./list-decorations.tsx'))

const NO_DECORATIONS: DecorationsState = { dressing: {}, areHeadsDue: true }

/** Room is kept for what is on its way. */
const PLACEHOLDERS: Decorations = { footer: {} }

/** A list as it is shown: its rows, what comes on top of them, and the element that works that out. */
type DecoratedRows = {
  readonly source: GridSource<RecordRow>
  readonly dressing: Decorations
  readonly element: ReactNode
}

/** What comes on top of a list. Its first rows and the heads of their groups wait for each other: neither pushes the other down. */
export function useDecorations(list: DecoratedList): DecoratedRows {
  const { group, look } = list
  const hasFooter = Object.keys(look.footers).length > 0
  const isWanted = group !== null || hasFooter || look.colors.length > 0
  const { ListDecorations } = useLazyModule(decorationsModule, isWanted) ?? {}
  const isMissing = useLoadFailed(isWanted)
  const [dressed, setDressed] = useState(NO_DECORATIONS)
  const isThere = isWanted && ListDecorations !== undefined
  const areHeadsDue = group !== null && !isMissing && (!isThere || dressed.areHeadsDue)
  const isComplete = useCompleteOnce(list.source, areHeadsDue)
  const dressing = isThere ? dressed.dressing : hasFooter ? PLACEHOLDERS : NO_DECORATIONS.dressing
  return {
    source: useMemo(() => (isComplete ? list.source : placeholderFor(list.source)), [isComplete, list.source]),
    dressing: isComplete ? dressing : withoutGroupHeaders(dressing),
    element: isThere && <ListDecorations list={list} onDressed={setDressed} />,
  }
}

const withoutGroupHeaders = ({ footer, paintOf }: Decorations): Decorations => ({
  ...(footer && { footer }),
  ...(paintOf && { paintOf }),
})

/** Whether the part could not be fetched: then the list is read without it. */
function useLoadFailed(isWanted: boolean): boolean {
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (isWanted) void decorationsModule.load().then(undefined, () => setMissing(true))
  }, [isWanted])
  return isMissing
}

/** Whether rows were there and nothing that must come with them was due, once. */
function useCompleteOnce(source: GridSource<RecordRow>, isMoreDue: boolean): boolean {
  const [wasComplete, setComplete] = useState(false)
  const isComplete = wasComplete || (!isMoreDue && hasRows(source))
  if (isComplete && !wasComplete) setComplete(true)
  return isComplete
}

/** Nothing but the room for the rows. */
function placeholderFor(source: GridSource<RecordRow>): GridSource<RecordRow> {
  if (source.kind === 'window') return { ...source, rowAt: () => undefined }
  return source.rows.length === 0 ? source : { ...source, rows: [], loadingRows: source.rows.length }
}
