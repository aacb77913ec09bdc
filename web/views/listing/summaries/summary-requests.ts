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

/** A figure that stands below a column. */
export type RequestedSummary = { readonly columnId: string; readonly subject: SummarySubject; readonly figure: Summary }

/** What is asked of the server for some of them. */
export type SummaryRequest =
  /** Aggregates of the whole list, and how many records it has. */
  | { readonly is: 'sums'; readonly aggregates: string }
  /** How many records of the list fit a further condition. */
  | { readonly is: 'count'; readonly where: string }
  /** The value that stands first when the list is sorted so. */
  | { readonly is: 'first'; readonly sort: string; readonly field: string }

/** The figures below the columns of a list; what is kept of columns that are gone says nothing. */
export const requestedSummaries = (
  collection: TypedCollection,
  footers: ListSettings['footers'],
): readonly RequestedSummary[] =>
  Object.entries(footers).flatMap(([columnId, kept]) => {
    const subject = subjectOf(collection, columnId)
    const figure = subject && summaryOf(subject, kept)
    return figure ? [{ columnId, subject, figure }] : []
  })

/** What to ask for these figures, each thing once. */
export function summaryRequests(wanted: readonly RequestedSummary[]): readonly SummaryRequest[] {
  const aggregates = wanted.flatMap(({ subject, figure }) => aggregateOf(subject, figure) ?? [])
  const needsSums = aggregates.length > 0 || wanted.some(({ figure }) => figure === 'count')
  return [
    ...(needsSums ? [{ is: 'sums', aggregates: [...new Set(aggregates)].join(',') } as const] : []),
    ...wanted.flatMap(({ subject, figure }) => summaryRequestOf(subject, figure) ?? []),
  ]
}

/** What is asked for one figure alone; undefined for those that come with the aggregates. */
export function summaryRequestOf(subject: SummarySubject, figure: Summary): SummaryRequest | undefined {
  const { name, field } = subject
  if (figure === 'count' || aggregateOf(subject, figure) !== undefined) return undefined
  if (figure === 'filled' || figure === 'empty') return { is: 'count', where: conditionOf(subject, figure) }
  return { is: 'first', sort: figure === 'max' ? `-${name}` : name, field: field ? name : '' }
}

function conditionOf({ name, field }: SummarySubject, figure: 'filled' | 'empty'): string {
  if (field?.kind === 'checkbox') return `${name} = ${figure === 'filled'}`
  return `${name} is ${figure === 'filled' ? 'not ' : ''}empty`
}

/** A list's filter narrowed by a further condition. */
export const withCondition = (filter: string, where: string): string =>
  filter.trim() === '' ? where : `(${filter}) && ${where}`

/** The figures that stand below the columns, as the groups of a list have them: what to ask, and how to read it. */
export type GroupSummaries = {
  /** Such as `sum(amount)`; empty where nothing is to be asked. */
  readonly aggregates: string
  readonly of: (body: { readonly aggregates: { readonly [figure: string]: number | null } }) => {
    readonly [columnId: string]: GridSummaryValue
  }
}

/** Figures of numbers can be had of each group; the others stand below the whole list alone. */
export function groupSummaries(collection: TypedCollection, footers: ListSettings['footers']): GroupSummaries {
  const wanted = requestedSummaries(collection, footers).flatMap((each) => {
    const aggregate = aggregateOf(each.subject, each.figure)
    return aggregate ? [{ ...each, aggregate }] : []
  })
  return {
    aggregates: wanted.map(({ aggregate }) => aggregate).join(','),
    of: ({ aggregates }) =>
      Object.fromEntries(
        wanted.flatMap(({ columnId, subject, figure, aggregate }) => {
          const value = aggregates[aggregate] ?? null
          if (value === null) return []
          return [[columnId, { name: summaryLabel(subject, figure), text: numberSummaryText(subject, figure, value) }]]
        }),
      ),
  }
}
