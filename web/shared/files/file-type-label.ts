import { t } from '#web/i18n/t.ts'

/** What people call a type of file, by the beginning of its name; the first that fits. */
const WORDS: readonly (readonly [start: string, words: string])[] = [
  ['image/svg+xml', t('Drawing')],
  ['image/', t('Image')],
  ['audio/', t('Audio')],
  ['video/', t('Video')],
  ['application/pdf', t('PDF document')],
  ['application/msword', t('Word document')],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml', t('Word document')],
  ['application/vnd.ms-excel', t('Excel workbook')],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml', t('Excel workbook')],
  ['application/vnd.ms-powerpoint', t('PowerPoint presentation')],
  ['application/vnd.openxmlformats-officedocument.presentationml', t('PowerPoint presentation')],
  ['application/vnd.oasis.opendocument.text', t('Text document')],
  ['application/vnd.oasis.opendocument.spreadsheet', t('Spreadsheet')],
  ['application/vnd.oasis.opendocument.presentation', t('Presentation')],
  ['application/zip', t('ZIP archive')],
  ['application/gzip', t('Compressed file')],
  ['application/x-7z-compressed', t('7-Zip archive')],
  ['application/x-rar', t('RAR archive')],
  ['application/x-tar', t('TAR archive')],
  ['text/csv', t('CSV file')],
  ['text/markdown', t('Markdown text')],
  ['text/html', t('HTML page')],
  ['application/json', t('JSON data')],
  ['text/calendar', t('Calendar')],
  ['text/vcard', t('Contact')],
  ['text/', t('Text')],
  ['font/', t('Font')],
]

/** What kind of file it is, in words: by its type, or by the ending of its name where that says nothing. */
export function fileTypeLabel(type: string, ending: string): string {
  const found = WORDS.find(([start]) => type.startsWith(start))?.[1]
  if (found !== undefined) return found
  return ending === '' ? t('File') : t('{ending} file', { ending })
}
