import type { Field, FieldKind } from '#domain/fields/field.ts'
import { fillSeries } from '#web/ui/grid/selection/fill-series.ts'
import { isEmptyClientValue } from '#web/shared/fields/client-value.ts'

/** Kinds whose values go on: after 1, 2 comes 3. */
const GOES_ON: ReadonlySet<FieldKind> = new Set(['number', 'date', 'text'])

/** What fills the cells of one field from others of the same field. */
export type FieldFill = {
  /** The values there are, in the order of the list. */
  readonly given: readonly unknown[]
  readonly count: number
  readonly how: 'series' | 'copy'
  readonly isBackwards: boolean
}

/** The values to fill cells with. What is written out in between is read back by whoever asked. */
export function filledValues({ kind }: Field, { given, count, how, isBackwards }: FieldFill): readonly unknown[] {
  const goesOn = how === 'series' && GOES_ON.has(kind) && given.every((value) => !isEmptyClientValue(kind, value))
  if (!goesOn) return repeated(given, count, isBackwards)
  const texts = fillSeries({ given: given.map(String), count, how, isBackwards })
  return kind === 'number'
    ? texts.map((text) => (text === '' ? null : Number(text)))
    : texts.map((text) => text || null)
}

function repeated(given: readonly unknown[], count: number, isBackwards: boolean): readonly unknown[] {
  const length = given.length
  const places = Array.from({ length: count }, (_, at) => (isBackwards ? at - count : at))
  return length === 0 ? [] : places.map((place) => given[((place % length) + length) % length])
}
