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

/** A pending step to a match, until new search results, another page or a row is loaded. */
type PendingStep = {
  readonly step: SearchStep
  readonly search: string
  readonly page: number
  /** The page from which the step continued to another page. */
  readonly leftPage: number
  /** Where the step starts: at the active cell, at the edge of the page it continued to, or at a row. */
  readonly from: 'active' | 'edge' | number
  readonly hasWrapped: boolean
  /** The active search when the step was requested. */
  readonly before: string
}

export type SearchHits = {
  /** Goes to the next or previous match; if `search` is new, waits for its results. Doesn't move focus. */
  readonly step: (step: SearchStep, search?: string) => void
  /** Whether the active cell is a match reached by a step. */
  readonly isAtHit: boolean
  /** Deactivates the match and cancels any pending step. */
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
    // Screen readers announce a repeated message only if its text changes.
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

/** Returns the step if it is still pending, the announcement if a match was found, or undefined if there is none. */
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
    // Skips rows in collapsed groups.
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

/** Continues on the neighboring page, or wraps around at the end of the list. */
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
