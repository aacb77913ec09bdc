import { queryOptions, useQueries } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { formatCount } from '#web/shared/formatting/format-value.ts'
import { type GridSummary, summaryRowOf } from '#web/ui/grid/summary/summary-row.tsx'
import { t } from '#web/i18n/t.ts'
import { type DecoratedList, useHasRows } from '#web/views/listing/decorations/use-decorations.tsx'
import {
  requestedSummaries,
  type RequestedSummary,
  type SummaryRequest,
  summaryRequestOf,
  summaryRequests,
  withCondition,
} from './summary-requests.ts'
import {
  aggregateOf,
  dateSummaryText,
  numberSummaryText,
  subjectOf,
  type Summary,
  summaryLabel,
  summaryOf,
  type SummaryState,
  type SummarySubject,
  withSummary,
} from './summaries.ts'
import { listRecords, aggregateRecords } from '#api/records.ts'
import { call } from '#web/data/api/call.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { type Listing, listingParams } from '#web/data/queries/record-list-queries.ts'
import { UnstyledButton } from '@mantine/core'
import { lazyModule } from '#web/ui/loading/lazy-module.tsx'
import { MenuButton } from '#web/ui/popup/menu-button.tsx'
import './summary-bar.css'

const items = lazyModule(() => import('./summary-menu-items.tsx'))

type SummaryCellProps = {
  readonly label: string
  readonly subject: SummarySubject
  readonly summary: Summary | undefined
  readonly state: SummaryState | undefined
  readonly onPick: (summary: Summary | null) => void
}

function SummaryCell({ label, subject, summary, state, onPick }: SummaryCellProps) {
  const word = summary && summaryLabel(subject, summary)
  return (
    <MenuButton
      part={items}
      items={({ SummaryMenuItems }) => <SummaryMenuItems subject={subject} summary={summary} onPick={onPick} />}
      position="bottom-start"
      widthPx={180}
      button={(button) => (
        <UnstyledButton
          {...button}
          className="figure-button"
          tabIndex={-1}
          data-empty={summary === undefined || undefined}
          aria-label={word ? `${label}: ${word} ${accessibleLabel(state)}` : t('Summary of {label}', { label })}
        >
          {word ? (
            <span className="grid-summary">
              <span className="grid-summary-name">{word}</span> <SummaryText state={state} />
            </span>
          ) : (
            <span aria-hidden>{t('Summary')}</span>
          )}
        </UnstyledButton>
      )}
    />
  )
}

function SummaryText({ state }: { readonly state: SummaryState | undefined }) {
  if (state?.is === 'there') return <span className="figure-text">{state.text === '' ? t('none') : state.text}</span>
  if (state?.is === 'failed') return <span className="figure-text figure-failed">{t('unknown')}</span>
  return <span className="grid-skeleton figure-waiting" />
}

function accessibleLabel(state: SummaryState | undefined): string {
  if (state?.is === 'there') return state.text === '' ? t('none') : state.text
  return state?.is === 'failed' ? t('unknown') : t('loading')
}

type SummaryResult = {
  readonly count: number
  readonly aggregates: { readonly [summary: string]: number | null }
  readonly first: unknown
}

const summaryQuery = (collection: string, ask: SummaryRequest, { filter, search, at }: Omit<Listing, 'sort'>) =>
  queryOptions({
    queryKey: queryKeys.sums(collection, { ...ask, filter, search, at }),
    queryFn: async ({ signal }): Promise<SummaryResult> => {
      const params = { collection }
      if (ask.is === 'first') {
        const query = {
          ...listingParams({ filter, search, sort: ask.sort, at }),
          perPage: 1,
          fields: ask.field,
          count: 'none',
        } as const
        const [record] = (await call(listRecords, { params, query, signal })).items
        const system = ask.sort.replace('-', '') === 'createdAt' ? record?.createdAt : record?.updatedAt
        return { ...NOTHING, first: ask.field === '' ? system : record?.values[ask.field] }
      }
      const { sort: _, ...list } = listingParams({
        filter: ask.is === 'count' ? withCondition(filter, ask.where) : filter,
        search,
        sort: '',
        at,
      })
      const aggregates = ask.is === 'sums' && ask.aggregates !== '' ? { aggregates: ask.aggregates } : {}
      return { ...NOTHING, ...(await call(aggregateRecords, { params, query: { ...list, ...aggregates }, signal })) }
    },
  })

const NOTHING: SummaryResult = { count: 0, aggregates: {}, first: null }

export function useSummaryBar(list: DecoratedList): GridSummary | undefined {
  const { collection, look, onLook } = list
  const { footers } = look
  const isShown = Object.keys(footers).length > 0
  const states = useSummaries(list)
  const pick = useCallback(
    (columnId: string, summary: Summary | null) => onLook({ footers: withSummary(footers, columnId, summary) }),
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
          summary={summaryOf(subject, footers[columnId])}
          state={states.get(columnId)}
          onPick={(summary) => pick(columnId, summary)}
        />
      )
    })
  }, [isShown, collection, footers, states, pick])
}

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
        const own = summaryRequestOf(each.subject, each.summary)
        return [each.columnId, stateOf(each, own ? byAsk.get(JSON.stringify(own)) : sums)]
      }),
    )
  }, [wanted, asks, answers])
}

type AnsweredSummaries = { readonly data: SummaryResult | undefined; readonly hasFailed: boolean }

const answersOf = (
  results: readonly { readonly data?: SummaryResult | undefined; readonly isError: boolean }[],
): readonly AnsweredSummaries[] => results.map(({ data, isError }) => ({ data, hasFailed: isError }))

function stateOf({ subject, summary }: RequestedSummary, answered: AnsweredSummaries | undefined): SummaryState {
  const { data } = answered ?? {}
  if (!data) return { is: answered?.hasFailed ? 'failed' : 'waiting' }
  const aggregate = aggregateOf(subject, summary)
  if (aggregate !== undefined) {
    const value = data.aggregates[aggregate] ?? null
    return { is: 'there', text: value === null ? '' : numberSummaryText(subject, summary, value) }
  }
  if (summary !== 'min' && summary !== 'max') return { is: 'there', text: formatCount(data.count) }
  return { is: 'there', text: typeof data.first === 'string' ? dateSummaryText(subject, data.first) : '' }
}
