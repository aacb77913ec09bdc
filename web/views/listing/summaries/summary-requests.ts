import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { ListSettings } from '#web/views/listing/list-settings.ts'
import {
  aggregateOf,
  numberSummaryText,
  subjectOf,
  type Summary,
  summaryLabel,
  summaryOf,
  type SummarySubject,
} from './summaries.ts'
import type { GridSummaryValue } from '#web/ui/grid/groups/group-rows.ts'

export type RequestedSummary = {
  readonly columnId: string
  readonly subject: SummarySubject
  readonly summary: Summary
}

export type SummaryRequest =
  | { readonly is: 'sums'; readonly aggregates: string }
  | { readonly is: 'count'; readonly where: string }
  | { readonly is: 'first'; readonly sort: string; readonly field: string }

export const requestedSummaries = (
  collection: TypedCollection,
  footers: ListSettings['footers'],
): readonly RequestedSummary[] =>
  Object.entries(footers).flatMap(([columnId, kept]) => {
    const subject = subjectOf(collection, columnId)
    const summary = subject && summaryOf(subject, kept)
    return summary ? [{ columnId, subject, summary }] : []
  })

/** The requests needed for the given summaries, without duplicates. */
export function summaryRequests(wanted: readonly RequestedSummary[]): readonly SummaryRequest[] {
  const aggregates = wanted.flatMap(({ subject, summary }) => aggregateOf(subject, summary) ?? [])
  const needsSums = aggregates.length > 0 || wanted.some(({ summary }) => summary === 'count')
  return [
    ...(needsSums ? [{ is: 'sums', aggregates: [...new Set(aggregates)].join(',') } as const] : []),
    ...wanted.flatMap(({ subject, summary }) => summaryRequestOf(subject, summary) ?? []),
  ]
}

export function summaryRequestOf(subject: SummarySubject, summary: Summary): SummaryRequest | undefined {
  const { name, field } = subject
  if (summary === 'count' || aggregateOf(subject, summary) !== undefined) return undefined
  if (summary === 'filled' || summary === 'empty') return { is: 'count', where: conditionOf(subject, summary) }
  return { is: 'first', sort: summary === 'max' ? `-${name}` : name, field: field ? name : '' }
}

function conditionOf({ name, field }: SummarySubject, summary: 'filled' | 'empty'): string {
  if (field?.kind === 'checkbox') return `${name} = ${summary === 'filled'}`
  return `${name} is ${summary === 'filled' ? 'not ' : ''}empty`
}

export const withCondition = (filter: string, where: string): string =>
  filter.trim() === '' ? where : `(${filter}) && ${where}`

/** Summaries per group: what to request and how to read the response. */
export type GroupSummaries = {
  /** For example `sum(amount)`; empty if nothing is requested. */
  readonly aggregates: string
  readonly of: (body: { readonly aggregates: { readonly [summary: string]: number | null } }) => {
    readonly [columnId: string]: GridSummaryValue
  }
}

/** Groups support only numeric summaries; other summaries are available only for the whole list. */
export function groupSummaries(collection: TypedCollection, footers: ListSettings['footers']): GroupSummaries {
  const wanted = requestedSummaries(collection, footers).flatMap((each) => {
    const aggregate = aggregateOf(each.subject, each.summary)
    return aggregate ? [{ ...each, aggregate }] : []
  })
  return {
    aggregates: wanted.map(({ aggregate }) => aggregate).join(','),
    of: ({ aggregates }) =>
      Object.fromEntries(
        wanted.flatMap(({ columnId, subject, summary, aggregate }) => {
          const value = aggregates[aggregate] ?? null
          if (value === null) return []
          return [
            [columnId, { name: summaryLabel(subject, summary), text: numberSummaryText(subject, summary, value) }],
          ]
        }),
      ),
  }
}
