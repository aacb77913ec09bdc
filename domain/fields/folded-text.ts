import { foldText, phoneDigits } from '../shared/text.ts'
import { normalEmail } from './email.ts'
import { type FieldKind, type KindOfShape, shapeOf } from './field.ts'
import { phoneNeedle, normalPhone } from './phone.ts'
import { normalUrl } from './url.ts'

export type TextKind = KindOfShape<'text'>

/** Plain text sorts by its folded form, then by exact text. */
export const holdsText = (kind: FieldKind | 'id'): kind is TextKind => kind !== 'id' && shapeOf({ kind }) === 'text'

/** Folded form used for search and sorting, stored with the value. */
export const foldedText = (kind: FieldKind, text: string): string =>
  kind === 'phone' ? phoneDigits(text) : foldText(text)

/** Folds a search text; undefined if no value of this kind can contain it. */
export const foldedNeedle = (kind: string, folded: string): string | undefined =>
  kind === 'phone' ? phoneNeedle(folded) : folded

/** Normalizes the text in the same way as stored values. */
export function comparedText(kind: TextKind, text: string): string {
  switch (kind) {
    case 'email':
      return normalEmail(text) ?? text
    case 'url':
      return normalUrl(text) ?? text
    case 'phone':
      return normalPhone(text) ?? text
    case 'text':
    case 'long-text':
      return text
  }
}
