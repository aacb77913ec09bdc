import type { FileBody } from '#api/records.ts'
import { IconPaperclip } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { idsToSend, printNames } from './relation.ts'

const isFile = (value: unknown): value is FileBody =>
  typeof value === 'object' && value !== null && 'id' in value && 'bytes' in value

const readFiles = (value: unknown): readonly FileBody[] => (Array.isArray(value) ? value.filter(isFile) : [])

export const filesTraits: KindTraits<'files'> = {
  ...EDITED_IN_CELLS,
  label: t('Files'),
  hint: t('Images, documents and other files'),
  Icon: IconPaperclip,
  read: readFiles,
  toWire: (value) => idsToSend(readFiles(value), true),
  copyText: (value) =>
    printNames(
      readFiles(value).map(({ name }) => name),
      true,
    ),
  isPastable: false,
  // A file belongs to one record.
  onDuplicate: 'omit',
}
