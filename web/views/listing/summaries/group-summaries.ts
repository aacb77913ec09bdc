import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GridSummaryValue } from '#web/ui/grid/groups/group-rows.ts'
import type { ListSettings } from '#web/views/listing/list-settings.ts'
import { requestedSummaries } from './summary-requests.ts'
import { aggregateOf, summaryLabel, numberSummaryText } from './summaries.ts'

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
