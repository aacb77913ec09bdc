import { escapeGuarded } from '#domain/imports/print-csv.ts'
import { IconLetterT } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'

export const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

export const printPlain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

export const printText = (value: unknown): string => escapeGuarded(printPlain(value))

export const textTraits: KindTraits<'text'> = {
  ...EDITED_IN_CELLS,
  label: t('Text'),
  hint: t('One line: names, codes, short answers'),
  Icon: IconLetterT,
  read: readText,
  copyText: printText,
  continuesSeries: true,
  onDuplicate: 'mark',
}
