import type { Result } from '../shared/result.ts'
import type { Field, FieldKind, ValueOf } from './field.ts'

/** Why a value was not taken: `code` for programs, `message` for people, in a sentence about "it". */
export type ValueFault = { readonly code: string; readonly message: string }

/**
 * What every kind of field must be able to say. `check` takes what came from outside (never undefined, never empty in
 * the kind's own sense); `parse` takes the text of a CSV cell or of the clipboard and means the same; `print` is the
 * inverse of `parse`. Ids inside relations and files are checked for shape here and for existence by the server.
 */
export type KindRules<Kind extends FieldKind> = {
  readonly check: (value: unknown, field: Field<Kind>) => Result<ValueOf[Kind], ValueFault>
  readonly parse: (text: string, field: Field<Kind>) => Result<ValueOf[Kind], ValueFault>
  readonly print: (value: ValueOf[Kind], field: Field<Kind>) => string
  /** Whether the kind can be unique; a list or a document cannot. */
  readonly canBeUnique: boolean
}

/** A fault in one go. */
export const fault = (code: string, message: string): { readonly ok: false; readonly fault: ValueFault } => ({
  ok: false,
  fault: { code, message },
})
