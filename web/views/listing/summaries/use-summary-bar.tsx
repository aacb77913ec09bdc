import { useQueries } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { formatCount } from '#web/shared/formatting/format-value.ts'
import { summaryRowOf } from '#web/ui/grid/summary/summary-row.tsx'
import type { GridSummary } from '#web/ui/grid/summary/grid-summary.ts'
import { t } from '#web/i18n/t.ts'
import type { DecoratedList } from '#web/views/listing/decorations/decoration-types.ts'
import { useHasRows } from '#web/views/listing/decorations/use-has-rows.ts'
import { SummaryCell } from './summary-cell.tsx'
import { summaryRequests, summaryRequestOf, type RequestedSummary, requestedSummaries } from './summary-requests.ts'
import { type SummaryResult, summaryQuery } from './summary-query.ts'
import {
  aggregateOf,
  type Summary,
  summaryOf,
  type SummaryState,
  dateSummaryText,
  numberSummaryText,
  subjectOf,
  withSummary,
} from './summaries.ts'

/** The line of figures below the columns of a list; they are asked for when its rows are there. */
export function useSummaryBar(list: DecoratedList): GridSummary | undefined {
  const { collection, look, onLook } = list
  const { footers } = look
  const isShown = Object.keys(footers).length > 0
  const states = useSummaries(list)
  const pick = useCallback(
    (columnId: string, figure: Summary | null) => onLook({ footers: withSummary(footers, columnId, figure) }),
    [footers, onLook],
  )
  return useMemo(() => {
    if (!isShown) return undefined
    return summaryRowOf((columnId) => {
      const subject = subjectOf(collection, columnId)
      if (!subject) return null
      const label = subject.field?.label ?? (columnId === 'createdAt' ? t('Created') : t('Updated'))
      return (
        <SummaryCell
          label={label}
          subject={subject}
          figure={summaryOf(subject, footers[columnId])}
          state={states.get(columnId)}
          onPick={(figure) => pick(columnId, figure)}
        />
      )
    })
  }, [isShown, collection, footers, states, pick])
}

/** The figures below the columns by column. */
function useSummaries(list: DecoratedList): ReadonlyMap<string, SummaryState> {
  const { collection, listing, look } = list
  const hasRows = useHasRows(list)
  const wanted = useMemo(() => requestedSummaries(collection, look.footers), [collection, look.footers])
  const asks = useMemo(() => summaryRequests(wanted), [wanted])
  const answers = useQueries({
    queries: asks.map((ask) => ({ ...summaryQuery(collection.name, ask, listing), enabled: hasRows })),
    combine: answersOf,
  })
  return useMemo(() => {
    const byAsk = new Map(asks.map((ask, at) => [JSON.stringify(ask), answers[at]]))
    const sums = answers[asks.findIndex(({ is }) => is === 'sums')]
    return new Map(
      wanted.map((each) => {
        const own = summaryRequestOf(each.subject, each.figure)
        return [each.columnId, stateOf(each, own ? byAsk.get(JSON.stringify(own)) : sums)]
      }),
    )
  }, [wanted, asks, answers])
}

type AnsweredSummaries = { readonly data: SummaryResult | undefined; readonly hasFailed: boolean }

const answersOf = (
  results: readonly { readonly data?: SummaryResult | undefined; readonly isError: boolean }[],
): readonly AnsweredSummaries[] => results.map(({ data, isError }) => ({ data, hasFailed: isError }))

function stateOf({ subject, figure }: RequestedSummary, answered: AnsweredSummaries | undefined): SummaryState {
  const { data } = answered ?? {}
  if (!data) return { is: answered?.hasFailed ? 'failed' : 'waiting' }
  const aggregate = aggregateOf(subject, figure)
  if (aggregate !== undefined) {
    const value = data.aggregates[aggregate] ?? null
    return { is: 'there', text: value === null ? '' : numberSummaryText(subject, figure, value) }
  }
  if (figure !== 'min' && figure !== 'max') return { is: 'there', text: formatCount(data.count) }
  return { is: 'there', text: typeof data.first === 'string' ? dateSummaryText(subject, data.first) : '' }
}
