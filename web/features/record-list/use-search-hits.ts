import { type RefObject, useEffect, useState } from 'react'
import type { PageSize } from '#domain/specification.ts'
import type { Listing } from '#web/data/queries/record-list-queries.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { GridHandle } from '#web/ui/grid/editing/grid-editing.ts'
import { type GridSource, type GridTotal, hasNextPage, lastPage, rowAt, spanOf } from '#web/ui/grid/grid-props.ts'
import { describeHit, hitColumns, nextHit, type SearchStep } from './search-hits.ts'

type SearchInput = {
  readonly collection: TypedCollection
  readonly listing: Listing
  readonly page: number
  readonly perPage: PageSize
  readonly onPage: (page: number, perPage: PageSize) => void
  readonly source: GridSource<RecordRow>
  readonly total: GridTotal
  readonly listKey: string
  readonly error: Error | null
  readonly grid: RefObject<GridHandle | null>
}

/** A step that waits for its rows: for the result of a new search, another page, or the loading of a row. */
type PendingStep = {
  readonly step: SearchStep
  readonly search: string
  readonly page: number
  /** The page before it was turned. */
  readonly leftPage: number
  /** At the active cell, at the end of the page where the step comes from, or at a row. */
  readonly from: 'active' | 'edge' | number
  readonly hasWrapped: boolean
  /** The search when it was requested. */
  readonly before: string
}

export type SearchHits = {
  /** Goes to the next or previous match, of another search once that has loaded. Focus stays where it is. */
  readonly step: (step: SearchStep, search?: string) => void
  /** Whether the active cell is a match that was gone to. */
  readonly isAtHit: boolean
  /** Cancels a pending step as well. */
  readonly leave: () => void
  readonly announcement: string
}

export function useSearchHits(input: SearchInput): SearchHits {
  const { listing, page, listKey } = input
  const [pending, setPending] = useState<PendingStep>()
  const [hit, setHit] = useState({ listKey: '', announcement: '' })
  const isAtHit = hit.listKey === listKey
  useEffect(() => {
    if (!pending) return
    const next = runStep(input, pending, isAtHit)
    if (next === pending) return
    if (next === undefined || 'step' in next) return setPending(next)
    setPending(undefined)
    // A repeated message is announced only if the text differs.
    const { announcement } = next
    setHit((before) => ({
      listKey,
      announcement: before.announcement === announcement ? `${announcement}\u00A0` : announcement,
    }))
  }, [pending, input, isAtHit, listKey])
  return {
    step: (step, search = listing.search) =>
      setPending({ step, search, page, leftPage: page, from: 'active', hasWrapped: false, before: listing.search }),
    isAtHit,
    leave: () => {
      setPending(undefined)
      if (isAtHit) setHit((before) => ({ ...before, listKey: '' }))
    },
    announcement: hit.announcement,
  }
}

type StepResult = PendingStep | { readonly announcement: string } | undefined

/** What to wait for, the match that was gone to, or nothing where there is none. */
function runStep(input: SearchInput, pending: PendingStep, isAtHit: boolean): StepResult {
  const { collection, listing, source, page, grid } = input
  if (pending.search !== listing.search) return pending.before === listing.search ? pending : undefined
  const isLoading = source.kind === 'page' && source.loadingRows !== undefined
  const { current: handle } = grid
  if (input.error) return undefined
  if (isLoading || !handle) return pending
  if (pending.from === 'edge' && pending.page !== page) return pending.leftPage === page ? pending : undefined
  const columnIds = handle.columnIds()
  const hitsIn = (ordinal: number) => {
    const row = rowAt(source, ordinal)
    // Rows of collapsed groups are skipped.
    if (!handle.has(ordinal)) return []
    return row && hitColumns(collection, row, columnIds)
  }
  const found = nextHit({ span: spanOf(source), columnIds, hitsIn }, startOf(input, pending, isAtHit), pending.step)
  if (!found) return turnPage(input, pending)
  handle.show(found.ordinal, found.columnId)
  const row = rowAt(source, found.ordinal)
  if (!row) return pending.from === found.ordinal ? pending : { ...pending, from: found.ordinal }
  const wrapped = pending.step === 1 ? t('Back at the first match.') : t('Back at the last match.')
  const words = describeHit(collection, row, found.columnId)
  return { announcement: pending.hasWrapped ? `${wrapped} ${words}` : words }
}

function startOf({ source, grid }: SearchInput, { from, step }: PendingStep, isAtHit: boolean) {
  const active = from === 'active' ? grid.current?.ordinal() : undefined
  if (active !== undefined) return { ordinal: active, columnId: grid.current?.columnId(), isWholeRow: !isAtHit }
  const { first, end } = spanOf(source)
  const edge = step === 1 ? first : end - 1
  return { ordinal: typeof from === 'number' ? from : edge, columnId: undefined, isWholeRow: true }
}

/** To the neighboring page, or around the end of the list. */
function turnPage({ source, total, page, perPage, onPage }: SearchInput, pending: PendingStep): StepResult {
  const at = { page, pageSize: perPage }
  const { first, end } = spanOf(source)
  const isForward = pending.step === 1
  const isLast = isForward ? !hasNextPage(at, total, end - first) : page === 1
  if (isLast && pending.hasWrapped) return undefined
  const around = isForward ? 1 : (lastPage(at, total) ?? page)
  const next = isLast ? around : page + pending.step
  if (next !== page) onPage(next, perPage)
  return { ...pending, page: next, leftPage: page, from: 'edge', hasWrapped: pending.hasWrapped || isLast }
}
