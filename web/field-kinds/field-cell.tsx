import type { ComponentType } from 'react'
import type { Field, FieldKind } from '#domain/fields/field.ts'
import { CheckboxCell } from './checkbox/cell.tsx'
import { MultiSelectCell } from './multi-select/cell.tsx'
import { StateCell } from './state/cell.tsx'
import { EmailCell } from './email/cell.tsx'
import { UrlCell } from './url/cell.tsx'
import { PhoneCell } from './phone/cell.tsx'
import { UserCell } from './user/cell.tsx'
import { AutoNumberCell } from './auto-number/cell.tsx'
import { JsonCell } from './json/cell.tsx'
import { DateCell } from './date/cell.tsx'
import { DateTimeCell } from './date-time/cell.tsx'
import { FilesCell } from './files/cell.tsx'
import { LongTextCell } from './long-text/cell.tsx'
import { NumberCell } from './number/cell.tsx'

import { RelationCell } from './relation/cell.tsx'
import { RichTextCell } from './rich-text/cell.tsx'
import { SelectCell } from './select/cell.tsx'
import { toClientValue } from '#web/shared/fields/client-value.ts'
import { TextCell } from './text/cell.tsx'
import { type CellProps, type KindTable, type ValueHighlights, WithHighlights } from './value-highlights.tsx'

/** How each kind looks in one line; complete by type. */
const FIELD_CELLS: KindTable<{ readonly [Kind in FieldKind]: CellProps<Kind> }> = {
  text: TextCell,
  'long-text': LongTextCell,
  'rich-text': RichTextCell,
  number: NumberCell,
  checkbox: CheckboxCell,
  date: DateCell,
  'date-time': DateTimeCell,
  select: SelectCell,
  'multi-select': MultiSelectCell,
  state: StateCell,
  email: EmailCell,
  url: UrlCell,
  phone: PhoneCell,
  relation: RelationCell,
  user: UserCell,
  files: FilesCell,
  'auto-number': AutoNumberCell,
  json: JsonCell,
}

type LooseCell = ComponentType<{ readonly field: Field; readonly value: unknown }>

type FieldCellProps = {
  readonly field: Field
  readonly value: unknown
  /** Where a search hit in the value. */
  readonly marks?: ValueHighlights | undefined
}

/** A value in one line, by the kind of its field. */
export function FieldCell({ field, value, marks }: FieldCellProps) {
  // The table pairs each kind with its own cell, which the compiler cannot follow through an index by a union.
  const Cell = FIELD_CELLS[field.kind] as LooseCell
  const cell = <Cell field={field} value={toClientValue(field.kind, value)} />
  return marks === undefined ? cell : <WithHighlights marks={marks}>{cell}</WithHighlights>
}
