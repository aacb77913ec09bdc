import type { Field } from '#domain/fields/field.ts'
import { type Json, sameJson } from '#domain/shared/json.ts'
import { toWireValue } from '#web/shared/fields/client-value.ts'

/** What becomes of one cell: the record, the field's name, and its value before and after, as the browser holds values. */
export type CellChange = {
  readonly record: string
  readonly field: string
  readonly was: unknown
  readonly is: unknown
}

/** Values came from JSON or are written as JSON: they are nothing else. */
const asJson = (value: unknown): Json => (value ?? null) as Json

/** Whether two values of a field say the same: related records, people and files by their ids. */
export function sameShown(field: Field, left: unknown, right: unknown): boolean {
  return sameJson(asJson(toWireValue(field, left)), asJson(toWireValue(field, right)))
}

/** The changes with their values before and after in each other's place: what undoes them. */
export const reversed = (changes: readonly CellChange[]): readonly CellChange[] =>
  changes.map(({ record, field, was, is }) => ({ record, field, was: is, is: was }))

/** The changes by record, in the order in which records are first named. */
export const byRecord = (changes: readonly CellChange[]): ReadonlyMap<string, readonly CellChange[]> =>
  Map.groupBy(changes, ({ record }) => record)
