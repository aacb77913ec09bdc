import type { TypedCollection } from '#web/fields/known-field.ts'
import type { GridSummaryValue } from '#web/kit/grid/group-rows.ts'
import type { ListSettings } from '../grid-layout.ts'
import { requestedSummaries } from './figure-asks.ts'
import { aggregateOf, summaryLabel, numberSummaryText } from './figures.ts'

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
