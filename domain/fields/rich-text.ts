import { checkDocument } from '../rich-text/check-document.ts'
import { documentOfText, plainText } from '../rich-text/plain-text.ts'
import type { KindRules } from './field-kind.ts'
import { WITHOUT_OPTIONS } from './field-options.ts'

/** A formatted document: the server stores its validated JSON and its plain text. */
export const richTextRules: KindRules<'rich-text'> = {
  ...WITHOUT_OPTIONS,
  check: (value) => checkDocument(value),
  parse: (text) => checkDocument(documentOfText(text)),
  print: (value) => plainText(value),
  canBeUnique: false,
}
