/** What people call a type of file, by the beginning of its name; the first that fits. */
const WORDS: readonly (readonly [start: string, words: string])[] = [
  ['image/svg+xml', 'Drawing'],
  ['image/', 'Picture'],
  ['audio/', 'Audio'],
  ['video/', 'Video'],
  ['application/pdf', 'PDF document'],
  ['application/msword', 'Word document'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml', 'Word document'],
  ['application/vnd.ms-excel', 'Excel workbook'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml', 'Excel workbook'],
  ['application/vnd.ms-powerpoint', 'PowerPoint presentation'],
  ['application/vnd.openxmlformats-officedocument.presentationml', 'PowerPoint presentation'],
  ['application/vnd.oasis.opendocument.text', 'Text document'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'Spreadsheet'],
  ['application/vnd.oasis.opendocument.presentation', 'Presentation'],
  ['application/zip', 'ZIP archive'],
  ['application/gzip', 'Compressed file'],
  ['application/x-7z-compressed', '7-Zip archive'],
  ['application/x-rar', 'RAR archive'],
  ['application/x-tar', 'TAR archive'],
  ['text/csv', 'CSV list'],
  ['text/markdown', 'Markdown text'],
  ['text/html', 'HTML page'],
  ['application/json', 'JSON data'],
  ['text/calendar', 'Calendar'],
  ['text/vcard', 'Contact'],
  ['text/', 'Text'],
  ['font/', 'Font'],
]

/** What kind of file it is, in words: by its type, or by the ending of its name where that says nothing. */
export function typeWords(type: string, ending: string): string {
  const found = WORDS.find(([start]) => type.startsWith(start))?.[1]
  if (found !== undefined) return found
  return ending === '' ? 'File' : `${ending} file`
}
