import type { RichDocument } from '#domain/rich-text/document-schema.ts'
import { IconTextSize } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_ON_PAGE, type KindTraits } from './kind-traits.ts'
import { printText, readText } from './text.ts'

export const richTextTraits: KindTraits<'rich-text'> = {
  ...EDITED_ON_PAGE,
  label: t('Rich text'),
  hint: t('A document with headings, lists and links'),
  Icon: IconTextSize,
  // The server stores only documents that fit its schema.
  read: (value) => (typeof value === 'object' && value !== null ? (value as RichDocument) : readText(value)),
  copyText: printText,
}
