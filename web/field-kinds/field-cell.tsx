import type { ComponentType } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { valueField } from '#domain/formulas/value-field.ts'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { FIELD_KIND_UI } from './field-kinds.ts'
import { type ValueHighlights, WithHighlights } from './value-highlights.tsx'

type FieldCellProps = {
  readonly field: Field
  readonly value: unknown
  /** Search matches in the value. */
  readonly marks?: ValueHighlights | undefined
}

export function FieldCell({ field, value, marks }: FieldCellProps) {
  // The registry maps each kind to its own cell, but TypeScript can't correlate the two when indexing by a union.
  const shown = valueField(field)
  const Cell = FIELD_KIND_UI[shown.kind].Cell as ComponentType<{ readonly field: Field; readonly value: unknown }>
  const cell = <Cell field={shown} value={toClientValue(shown.kind, value)} />
  return marks === undefined ? cell : <WithHighlights marks={marks}>{cell}</WithHighlights>
}
