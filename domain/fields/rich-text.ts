import { checkDocument } from '../rich-text/check-document.ts'
import { documentOfText } from '#domain/rich-text/text-to-document.ts'
import { plainText } from '../rich-text/plain-text.ts'
import type { KindRules } from './field-kind.ts'

/** A formatted document; the server stores its JSON, as the checker wrote it anew, and its plain text. */
export const richTextRules: KindRules<'rich-text'> = {
  check: (value) => checkDocument(value),
  parse: (text) => checkDocument(documentOfText(text)),
  print: (value) => plainText(value),
  canBeUnique: false,
}
