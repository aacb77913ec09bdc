import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Listing } from '#web/data/queries/record-list-queries.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GridProps, GridSource } from '#web/ui/grid/grid-props.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { ListSettings } from '#web/views/listing/list-settings.ts'

export type DecoratedList = {
  readonly collection: TypedCollection
  readonly listing: Listing
  readonly group: string | null
  readonly look: ListSettings
  readonly onLook: (look: Partial<ListSettings>) => void
  readonly source: GridSource<RecordRow>
}

type Decorations = Pick<GridProps<RecordRow>, 'grouping' | 'footer' | 'paintOf'>

/** The decorations loaded so far; `areHeadsDue` is true while group headers are loading, unless loading has failed. */
export type DecorationsState = { readonly decorations: Decorations; readonly areHeadsDue: boolean }

const hasRows = <Row,>(source: GridSource<Row>): boolean =>
  source.kind === 'page' ? source.loadingRows === undefined : source.total === 0 || source.rowAt(0) !== undefined

/** Whether the current list's rows have loaded; other requests are sent only afterwards. */
export function useHasRows({ listing, source }: Pick<DecoratedList, 'listing' | 'source'>): boolean {
  const key = JSON.stringify([listing.filter, listing.search])
  const isThere = hasRows(source)
  const [held, setHeld] = useState<string>()
  if (isThere && held !== key) setHeld(key)
  return isThere || held === key
}

const decorationsModule = lazyModule(() => import('./list-decorations.tsx'))

const NO_DECORATIONS: DecorationsState = { decorations: {}, areHeadsDue: true }

/** Reserves space while decorations are loading. */
const PLACEHOLDERS: Decorations = { footer: {} }

type DecoratedRows = {
  readonly source: GridSource<RecordRow>
  readonly decorations: Decorations
  readonly element: ReactNode
}

/** A list's decorations. The first rows and group headers are shown together, so that neither shifts the other. */
export function useDecorations(list: DecoratedList): DecoratedRows {
  const { group, look } = list
  const hasFooter = Object.keys(look.footers).length > 0
  const isWanted = group !== null || hasFooter || look.colors.length > 0
  const { ListDecorations } = useLazyModule(decorationsModule, isWanted) ?? {}
  const isMissing = useLoadFailed(isWanted)
  const [decorated, setDecorated] = useState(NO_DECORATIONS)
  const isThere = isWanted && ListDecorations !== undefined
  const areHeadsDue = group !== null && !isMissing && (!isThere || decorated.areHeadsDue)
  const isComplete = useCompleteOnce(list.source, areHeadsDue)
  const decorations = isThere ? decorated.decorations : hasFooter ? PLACEHOLDERS : NO_DECORATIONS.decorations
  return {
    source: useMemo(() => (isComplete ? list.source : placeholderFor(list.source)), [isComplete, list.source]),
    decorations: isComplete ? decorations : withoutGroupHeaders(decorations),
    element: isThere && <ListDecorations list={list} onDecorated={setDecorated} />,
  }
}

const withoutGroupHeaders = ({ footer, paintOf }: Decorations): Decorations => ({
  ...(footer && { footer }),
  ...(paintOf && { paintOf }),
})

/** If the chunk can't be loaded, the list is shown without decorations. */
function useLoadFailed(isWanted: boolean): boolean {
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (isWanted) void decorationsModule.load().then(undefined, () => setMissing(true))
  }, [isWanted])
  return isMissing
}

function useCompleteOnce(source: GridSource<RecordRow>, isMoreDue: boolean): boolean {
  const [wasComplete, setComplete] = useState(false)
  const isComplete = wasComplete || (!isMoreDue && hasRows(source))
  if (isComplete && !wasComplete) setComplete(true)
  return isComplete
}

function placeholderFor(source: GridSource<RecordRow>): GridSource<RecordRow> {
  if (source.kind === 'window') return { ...source, rowAt: () => undefined }
  return source.rows.length === 0 ? source : { ...source, rows: [], loadingRows: source.rows.length }
}
