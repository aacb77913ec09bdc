import { foldText } from '../shared/text.ts'
import { normalEmail } from './email.ts'
import type { FieldKind } from './field.ts'
import { phoneDigits } from './phone-digits.ts'
import { phoneNeedle, normalPhone } from './phone.ts'
import { normalUrl } from './url.ts'

/** The kinds whose values are plain text. */
export type TextKind = 'text' | 'long-text' | 'email' | 'url' | 'phone'

/** Whether values of a kind are plain text, ordered by their folded form and then by themselves. */
export function holdsText(kind: string): kind is TextKind {
  return kind === 'text' || kind === 'long-text' || kind === 'email' || kind === 'url' || kind === 'phone'
}

/** The form in which a text of a kind is searched and sorted; it is stored beside the value. */
export const foldedText = (kind: FieldKind, text: string): string =>
  kind === 'phone' ? phoneDigits(text) : foldText(text)

/** What to look for in that form when people look for a text; undefined where no value of the kind can hold it. */
export const foldedNeedle = (kind: string, folded: string): string | undefined =>
  kind === 'phone' ? phoneNeedle(folded) : folded

/** A text to compare stored values with, normalized like them. */
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
