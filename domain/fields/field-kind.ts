import type { ListSeparator } from '../shared/list-text.ts'
import type { Result } from '../shared/result.ts'
import type { Field, FieldKind, OptionsOf, ValueOf } from './field.ts'
import type { OptionRules } from './field-options.ts'
import type { DayOrder } from './date-text.ts'
import type { Decimal } from './number-text.ts'

/** Reason why a value was rejected; `message` is a sentence that refers to the value as “it”. */
export type ValueFault = { readonly code: string; readonly message: string }

/** Text format used to parse ambiguous values; without it, only unambiguous values are accepted. */
export type TextFormat = {
  readonly decimal?: Decimal | undefined
  readonly dayOrder?: DayOrder | undefined
  /** IANA time zone for times that don't specify one. */
  readonly timeZone?: string | undefined
  /** Separator between list entries. */
  readonly separator?: ListSeparator | undefined
}

/**
 * Rules of a field kind. `check` validates external values (never undefined or empty); `parse` parses text from a CSV
 * cell or the clipboard; `print` is the inverse of `parse`. Only the format of IDs is checked; the server checks that
 * they exist.
 */
export type KindRules<Kind extends FieldKind> = OptionRules<OptionsOf[Kind]> & {
  readonly check: (value: unknown, field: Field<Kind>) => Result<ValueOf[Kind], ValueFault>
  readonly parse: (text: string, field: Field<Kind>, format?: TextFormat) => Result<ValueOf[Kind], ValueFault>
  readonly print: (value: ValueOf[Kind], field: Field<Kind>) => string
  /** Documents don't support uniqueness, nor do values with several entries. */
  readonly canBeUnique: boolean
}

export const fault = (code: string, message: string): { readonly ok: false; readonly fault: ValueFault } => ({
  ok: false,
  fault: { code, message },
})
