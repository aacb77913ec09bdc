import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listRecords, listRecordsByDay, type RecordListItem } from '#api/records.ts'
import type { Comparison, Filter } from '#domain/query/filter/filter.ts'
import { dayText } from '#domain/views/dates/date-span.ts'
import type { CalendarOptions } from '#domain/views/dates/date-fields.ts'
import type { CalendarPeriod, DayRange } from '#domain/views/dates/periods.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { FOR_LISTS, keepPreviousPage, type Listing, listingParams } from '#web/data/queries/record-list-queries.ts'
import { withCondition } from '#web/views/listing/use-record-window.ts'
import type { DatedFields } from '../dates/dated-records.ts'
import type { DateActions, DatedList } from '../dates/use-date-actions.ts'
import type { DateDrag } from '../dates/use-date-drag.ts'

/** With more records in sight, only the first of each day are loaded. */
const MAX_AT_ONCE = 150

/** Records that began before the days in sight; they are drawn above the others. */
const MAX_CONTINUING = 100

/** Records per day of a crowded period: those that a month has room for, and some more in a week. */
const perDayOf = ({ count }: DayRange): number => (count > 7 ? 6 : 20)

/** Records per request of a list of days. */
const PER_LIST = 100

export type CalendarRecords = {
  readonly records: readonly RecordListItem[]
  /** Number of records that start on a day, if they aren't all loaded. */
  readonly startingOn: ReadonlyMap<number, number>
  readonly isLoading: boolean
  readonly error: Error | null
  readonly retry: () => void
  /** Loads further records of a list. */
  readonly more: (() => void) | undefined
  readonly isLoadingMore: boolean
}

type CalendarQuery = {
  readonly collection: string
  readonly listing: Listing
  readonly fields: DatedFields
  readonly range: DayRange
}

/** What all parts of a calendar share. */
export type CalendarScene = Omit<DatedList<CalendarOptions>, 'actions'> & {
  readonly actions: DateActions
  readonly period: CalendarPeriod
  readonly day: string
  readonly range: DayRange
  /** The day that the keyboard is on. */
  readonly activeDay: number
  readonly drag: DateDrag
  readonly go: (day: string) => void
}

export const queryOf = ({ collection, listing, fields, range }: CalendarScene): CalendarQuery => ({
  collection: collection.name,
  listing,
  fields,
  range,
})

/** Days outside the calendar aren't limited. */
function startsIn({ start }: DatedFields, { first, count }: DayRange): Filter {
  const [from, to] = [dayText(first), dayText(first + count)]
  const bounds: readonly Comparison[] = [
    ...(from === undefined ? [] : [{ field: start.name, op: '>=', value: from } as const]),
    ...(to === undefined ? [] : [{ field: start.name, op: '<', value: to } as const]),
  ]
  return bounds.length === 0 ? { field: start.name, op: 'is not empty' } : { all: bounds }
}

function continuesInto({ start, end }: DatedFields, { first }: DayRange): Filter | undefined {
  const from = dayText(first)
  if (end === undefined || from === undefined) return undefined
  return {
    all: [
      { field: start.name, op: '<', value: from },
      { field: end.name, op: '>=', value: from },
    ],
  }
}

export const undated = ({ start }: DatedFields): Filter => ({ field: start.name, op: 'is empty' })

/** The records of a list that also match a condition. */
const listOf = (listing: Listing, condition: Filter, sort: string): Listing => ({
  ...withCondition(listing, condition),
  sort,
})

const byStart = ({ start }: DatedFields): string => start.name

/** An index of both fields, which this order causes to be built, finds them without reading other records. */
const byEnd = ({ start, end }: DatedFields): string => (end ? `${end.name},${start.name}` : start.name)

const pageOf = (collection: string, listing: Listing, perPage: number, cursor = '') => {
  const place = { perPage, count: 'none', ...(cursor !== '' && { cursor }) } as const
  return { params: { collection }, query: { ...listingParams(listing), ...FOR_LISTS, ...place } }
}

/** The first records that match a condition, in one request; none without a condition. */
function useFirstRecords(
  { collection, listing: whole }: CalendarQuery,
  condition: Filter | undefined,
  { sort, perPage }: { readonly sort: string; readonly perPage: number },
) {
  const listing = condition && listOf(whole, condition, sort)
  return useQuery({
    queryKey: queryKeys.recordWindows(collection, { ...listing, perPage }),
    queryFn: ({ signal }) => call(listRecords, { ...pageOf(collection, listing ?? whole, perPage), signal }),
    placeholderData: keepPreviousPage(collection),
    enabled: listing !== undefined,
  })
}

const useContinuing = (query: CalendarQuery) =>
  useFirstRecords(query, continuesInto(query.fields, query.range), {
    sort: byEnd(query.fields),
    perPage: MAX_CONTINUING,
  })

/** The last record before the days in sight, and the first one after them. */
export function useNearestRecords(query: CalendarQuery) {
  const { start } = query.fields
  const [from, to] = [dayText(query.range.first), dayText(query.range.first + query.range.count)]
  const condition = (op: '<' | '>=', value: string | undefined): Filter | undefined =>
    value === undefined ? undefined : { field: start.name, op, value }
  const before = useFirstRecords(query, condition('<', from), { sort: `-${start.name}`, perPage: 1 })
  const after = useFirstRecords(query, condition('>=', to), { sort: start.name, perPage: 1 })
  return { before: before.data?.items[0], after: after.data?.items[0] }
}

const NO_RECORDS: readonly RecordListItem[] = []
const NONE: ReadonlyMap<number, number> = new Map()

/** The records of a period. In a crowded one, each day has only its first records and their number. */
export function useRecordsOfPeriod(query: CalendarQuery): CalendarRecords {
  const { collection, listing, fields, range } = query
  const starting = useFirstRecords(query, startsIn(fields, range), { sort: byStart(fields), perPage: MAX_AT_ONCE })
  const continuing = useContinuing(query)
  // Until its records are loaded, a period is expected to be as crowded as the one before, so both requests run at once.
  const isCrowded = (starting.data?.nextCursor ?? null) !== null
  const from = dayText(range.first)
  const byDay = useQuery({
    queryKey: queryKeys.recordWindows(collection, { ...listing, by: fields.start.name, range }),
    queryFn: ({ signal }) => {
      const { filter, search, at } = listing
      const days = { by: fields.start.name, from: from ?? '0001-01-01', days: range.count, perDay: perDayOf(range) }
      const list = listingParams({ filter, search, sort: '', at })
      return call(listRecordsByDay, { params: { collection }, query: { ...list, ...FOR_LISTS, ...days }, signal })
    },
    enabled: isCrowded,
  })
  const queries = [starting, continuing, byDay]
  const records = useMemo(() => {
    // The first days are shown until the others are loaded.
    const ofDays = isCrowded ? byDay.data?.days.flatMap(({ items }) => items) : undefined
    return [...(continuing.data?.items ?? NO_RECORDS), ...(ofDays ?? starting.data?.items ?? NO_RECORDS)]
  }, [isCrowded, byDay.data, starting.data, continuing.data])
  const startingOn = useMemo(
    () =>
      isCrowded && byDay.data ? new Map(byDay.data.days.map(({ total }, at) => [range.first + at, total ?? 0])) : NONE,
    [isCrowded, byDay.data, range.first],
  )
  return {
    records,
    startingOn,
    isLoading: starting.isLoading || starting.isPlaceholderData || continuing.isLoading || byDay.isLoading,
    error: queries.map(({ error }) => error).find((error) => error !== null) ?? null,
    retry: () => queries.forEach(({ error, refetch }) => error !== null && void refetch()),
    more: undefined,
    isLoadingMore: false,
  }
}

/** The records that match a condition, as a list that loads more on demand. */
export function useListedRecords(query: CalendarQuery, condition: Filter): CalendarRecords {
  const { collection, fields } = query
  const listing = listOf(query.listing, condition, byStart(fields))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isLoading } = useInfiniteQuery({
    queryKey: queryKeys.recordWindows(collection, { ...listing, isEndless: true }),
    queryFn: ({ signal, pageParam }) =>
      call(listRecords, { ...pageOf(collection, listing, PER_LIST, pageParam), signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const records = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? NO_RECORDS, [data])
  return {
    records,
    startingOn: NONE,
    isLoading,
    error,
    retry: () => void refetch(),
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isLoadingMore: isFetchingNextPage,
  }
}

/** The records of some days, from first to last. */
export function useRecordsOfDays(query: CalendarQuery): CalendarRecords {
  const { fields, range } = query
  const continuing = useContinuing(query)
  const starting = useListedRecords(query, startsIn(fields, range))
  const before = continuing.data?.items
  const records = useMemo(() => [...(before ?? NO_RECORDS), ...starting.records], [before, starting.records])
  const retry = () => {
    if (continuing.error) void continuing.refetch()
    if (starting.error) starting.retry()
  }
  return {
    ...starting,
    records,
    isLoading: starting.isLoading || continuing.isLoading,
    error: starting.error ?? continuing.error,
    retry,
  }
}
