import type { ListSeparator } from '../shared/list-text.ts'
import type { Result } from '../shared/result.ts'
import type { Field, FieldKind, OptionsOf, ValueOf } from './field.ts'
import type { OptionRules } from './field-options.ts'
import type { DayOrder } from './date-text.ts'
import type { Decimal } from './number-text.ts'

/** Why a value was rejected; `message` is a sentence about “it”. */
export type ValueFault = { readonly code: string; readonly message: string }

/** The text format of values, for texts with several readings; without it only unambiguous texts are accepted. */
export type TextFormat = {
  readonly decimal?: Decimal | undefined
  readonly dayOrder?: DayOrder | undefined
  /** The IANA time zone of times that name none. */
  readonly timeZone?: string | undefined
  /** The separator between list entries. */
  readonly separator?: ListSeparator | undefined
}

/**
 * The rules of a field kind. `check` accepts external values (never undefined or empty); `parse` accepts the text of a
 * CSV cell or the clipboard; `print` is the inverse of `parse`. IDs are checked for their form here, and for existence
 * by the server.
 */
export type KindRules<Kind extends FieldKind> = OptionRules<OptionsOf[Kind]> & {
  readonly check: (value: unknown, field: Field<Kind>) => Result<ValueOf[Kind], ValueFault>
  readonly parse: (text: string, field: Field<Kind>, format?: TextFormat) => Result<ValueOf[Kind], ValueFault>
  readonly print: (value: ValueOf[Kind], field: Field<Kind>) => string
  /** Lists and documents can't be unique. */
  readonly canBeUnique: boolean
}

export const fault = (code: string, message: string): { readonly ok: false; readonly fault: ValueFault } => ({
  ok: false,
  fault: { code, message },
})
