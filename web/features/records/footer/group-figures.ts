import type { KnownCollection } from '#web/fields/known-field.ts'
import type { GridFigure } from '#web/kit/grid/group-rows.ts'
import type { ListLook } from '../grid-layout.ts'
import { wantedFigures } from './figure-asks.ts'
import { aggregateOf, figureWord, numberFigureText } from './figures.ts'

/** The figures that stand below the columns, as the groups of a list have them: what to ask, and how to read it. */
export type GroupFigures = {
  /** Such as `sum(amount)`; empty where nothing is to be asked. */
  readonly aggregates: string
  readonly of: (body: { readonly aggregates: { readonly [figure: string]: number | null } }) => {
    readonly [columnId: string]: GridFigure
  }
}

/** Figures of numbers can be had of each group; the others stand below the whole list alone. */
export function groupFigures(collection: KnownCollection, footers: ListLook['footers']): GroupFigures {
  const wanted = wantedFigures(collection, footers).flatMap((each) => {
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
          return [[columnId, { name: figureWord(subject, figure), text: numberFigureText(subject, figure, value) }]]
        }),
      ),
  }
}
