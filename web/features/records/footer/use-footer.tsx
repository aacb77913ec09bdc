import { useQueries } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { formatCount } from '#web/fields/format-value.ts'
import { footerOf } from '#web/kit/grid/footer-line.tsx'
import type { GridFooter } from '#web/kit/grid/grid-footer.ts'
import { t } from '#web/language/t.ts'
import type { DressedList } from '../dressing/dressing-props.ts'
import { useHasRows } from '../dressing/use-has-rows.ts'
import { FigureCell } from './figure-cell.tsx'
import { figureAsks, ownAsk, type WantedFigure, wantedFigures } from './figure-asks.ts'
import { type FigureAnswer, figureQuery } from './figure-queries.ts'
import {
  aggregateOf,
  type Figure,
  figureOf,
  type FigureState,
  momentFigureText,
  numberFigureText,
  subjectOf,
  withFigure,
} from './figures.ts'

/** The line of figures below the columns of a list; they are asked for when its rows are there. */
export function useFooter(list: DressedList): GridFooter | undefined {
  const { collection, look, onLook } = list
  const { footers } = look
  const isShown = Object.keys(footers).length > 0
  const states = useFigures(list)
  const pick = useCallback(
    (columnId: string, figure: Figure | null) => onLook({ footers: withFigure(footers, columnId, figure) }),
    [footers, onLook],
  )
  return useMemo(() => {
    if (!isShown) return undefined
    return footerOf((columnId) => {
      const subject = subjectOf(collection, columnId)
      if (!subject) return null
      const label = subject.field?.label ?? (columnId === 'createdAt' ? t('Created') : t('Updated'))
      return (
        <FigureCell
          label={label}
          subject={subject}
          figure={figureOf(subject, footers[columnId])}
          state={states.get(columnId)}
          onPick={(figure) => pick(columnId, figure)}
        />
      )
    })
  }, [isShown, collection, footers, states, pick])
}

/** The figures below the columns by column. */
function useFigures(list: DressedList): ReadonlyMap<string, FigureState> {
  const { collection, listing, look } = list
  const hasRows = useHasRows(list)
  const wanted = useMemo(() => wantedFigures(collection, look.footers), [collection, look.footers])
  const asks = useMemo(() => figureAsks(wanted), [wanted])
  const answers = useQueries({
    queries: asks.map((ask) => ({ ...figureQuery(collection.name, ask, listing), enabled: hasRows })),
    combine: answersOf,
  })
  return useMemo(() => {
    const byAsk = new Map(asks.map((ask, at) => [JSON.stringify(ask), answers[at]]))
    const sums = answers[asks.findIndex(({ is }) => is === 'sums')]
    return new Map(
      wanted.map((each) => {
        const own = ownAsk(each.subject, each.figure)
        return [each.columnId, stateOf(each, own ? byAsk.get(JSON.stringify(own)) : sums)]
      }),
    )
  }, [wanted, asks, answers])
}

type Answered = { readonly data: FigureAnswer | undefined; readonly hasFailed: boolean }

const answersOf = (
  results: readonly { readonly data?: FigureAnswer | undefined; readonly isError: boolean }[],
): readonly Answered[] => results.map(({ data, isError }) => ({ data, hasFailed: isError }))

function stateOf({ subject, figure }: WantedFigure, answered: Answered | undefined): FigureState {
  const { data } = answered ?? {}
  if (!data) return { is: answered?.hasFailed ? 'failed' : 'waiting' }
  const aggregate = aggregateOf(subject, figure)
  if (aggregate !== undefined) {
    const value = data.aggregates[aggregate] ?? null
    return { is: 'there', text: value === null ? '' : numberFigureText(subject, figure, value) }
  }
  if (figure !== 'min' && figure !== 'max') return { is: 'there', text: formatCount(data.count) }
  return { is: 'there', text: typeof data.first === 'string' ? momentFigureText(subject, data.first) : '' }
}
